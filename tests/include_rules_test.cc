// Dependency direction, checked: every #include "…" of src/ and include/ against the table in src/MODULES, and every
// aduana_… library that a module links as well.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace aduana {
namespace {

namespace fs = std::filesystem;

using Modules = std::set<std::string>;
using Rules = std::map<std::string, Modules>;
using Problems = std::vector<std::string>;

constexpr const char* kPublicFace = "aduana";

std::string quoted(const Modules& modules) {
  std::string text;
  for (const std::string& module : modules) text += (text.empty() ? "" : " ") + module;
  return text.empty() ? "nothing" : text;
}

Rules parse_rules(std::istream& table, Problems& problems) {
  Rules rules;
  std::string line;
  for (int number = 1; std::getline(table, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    const std::string where = "src/MODULES:" + std::to_string(number) + ": ";
    const size_t colon = line.find(':');
    if (colon == std::string::npos) {
      problems.push_back(where + "not of the form `module: modules`");
      continue;
    }
    const std::string module = line.substr(0, colon);
    Modules allowed;
    std::istringstream names(line.substr(colon + 1));
    for (std::string name; names >> name; allowed.insert(name)) {
      if (!rules.contains(name)) problems.push_back(where + "`" + name + "` does not stand above `" + module + "`");
    }
    if (!rules.emplace(module, allowed).second) problems.push_back(where + "`" + module + "` stands there twice");
  }
  return rules;
}

// Each `uses` is a module that a line of a file of `module` names.
void check_use(const Rules& rules, const std::string& module, const std::string& uses, const std::string& where,
               Problems& problems) {
  if (uses == module || uses == kPublicFace || rules.at(module).contains(uses)) return;
  problems.push_back(where + "`" + module + "` may use " + quoted(rules.at(module)) + ", not `" + uses +
                     "` (src/MODULES)");
}

void check_source(const Rules& rules, const std::string& module, const std::string& name, std::istream& source,
                  Problems& problems) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*"([^"]*)")re");
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    std::smatch match;
    if (!std::regex_search(line, match, kInclude)) continue;
    const std::string where = name + ":" + std::to_string(number) + ": ";
    const std::string path = match[1];
    const std::string uses = path.substr(0, path.find('/'));
    if (!rules.contains(uses) || uses == path) {
      problems.push_back(where + "\"" + path + "\" is not of the form \"module/file\" (src/MODULES)");
    } else {
      check_use(rules, module, uses, where, problems);
    }
  }
}

void check_links(const Rules& rules, const std::string& module, const std::string& name, std::istream& lists,
                 Problems& problems) {
  static const std::regex kLibrary(R"(\baduana_(\w+))");
  std::string line;
  for (int number = 1; std::getline(lists, line); ++number) {
    line = line.substr(0, line.find('#'));
    for (std::sregex_iterator at(line.begin(), line.end(), kLibrary), end; at != end; ++at) {
      const std::string uses = (*at)[1];
      if (rules.contains(uses)) check_use(rules, module, uses, name + ":" + std::to_string(number) + ": ", problems);
    }
  }
}

// Checks a file of `module` by its kind; returns whether it was one to check.
bool check_file(const Rules& rules, const std::string& module, const std::string& name, std::istream& text,
                Problems& problems) {
  const fs::path path(name);
  if (path.extension() == ".h" || path.extension() == ".cc") {
    check_source(rules, module, name, text, problems);
  } else if (path.filename() == "CMakeLists.txt") {
    check_links(rules, module, name, text, problems);
  } else {
    return false;
  }
  return true;
}

std::string joined(const Problems& problems) {
  std::string text;
  for (const std::string& problem : problems) text += "\n  " + problem;
  return text;
}

TEST(IncludeRules, HoldForEveryFile) {
  const fs::path root = ADUANA_SOURCE_DIR;
  Problems problems;
  std::ifstream table(root / "src/MODULES");
  ASSERT_TRUE(table) << "src/MODULES is missing";
  const Rules rules = parse_rules(table, problems);

  int checked = 0;
  for (const char* top : {"src", "include"}) {
    for (const auto& folder : fs::directory_iterator(root / top)) {
      if (!folder.is_directory()) continue;
      const std::string module = folder.path().filename().string();
      if (!rules.contains(module)) {
        problems.push_back(std::string(top) + "/" + module + ": not in the table of src/MODULES");
        continue;
      }
      for (const auto& file : fs::recursive_directory_iterator(folder)) {
        if (!file.is_regular_file()) continue;
        std::ifstream text(file.path());
        checked += check_file(rules, module, fs::relative(file.path(), root).string(), text, problems);
      }
    }
  }
  EXPECT_GT(checked, 10);
  EXPECT_TRUE(problems.empty()) << joined(problems);
}

class IncludeRulesOf : public testing::Test {
 protected:
  Problems problems_of(const std::string& module, const std::string& name, const std::string& text) {
    std::istringstream table("aduana:\nbase:\nurl: base\npages: base url\n");
    Problems problems;
    const Rules rules = parse_rules(table, problems);
    std::istringstream stream(text);
    EXPECT_TRUE(check_file(rules, module, name, stream, problems));
    return problems;
  }

  Problems problems_of_table(const std::string& text) {
    std::istringstream table(text);
    Problems problems;
    parse_rules(table, problems);
    return problems;
  }
};

TEST_F(IncludeRulesOf, AllowedIncludesPass) {
  const char* text =
      "#include <vector>\n#include \"base/file.h\"\n#include \"pages/run.h\"\n#include \"aduana/time.h\"\n";
  EXPECT_EQ(problems_of("pages", "src/pages/run.cc", text), Problems{});
  EXPECT_EQ(problems_of("url", "src/url/CMakeLists.txt", "aduana_module(url LINK aduana_base ICU::uc)\n"), Problems{});
}

TEST_F(IncludeRulesOf, ForbiddenIncludeIsFoundWithItsPlaceAndRule) {
  const auto problems =
      problems_of("url", "src/url/url.cc", "#include \"base/file.h\"\n  #  include \"pages/run.h\"\n");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0], "src/url/url.cc:2: `url` may use base, not `pages` (src/MODULES)");
}

TEST_F(IncludeRulesOf, PublicFaceShowsNothingOfTheInside) {
  EXPECT_EQ(problems_of("aduana", "include/aduana/x.h", "#include \"base/file.h\"\n").size(), 1u);
}

TEST_F(IncludeRulesOf, IncludesNameTheirModule) {
  EXPECT_EQ(problems_of("url", "src/url/url.cc", "#include \"host.h\"\n").size(), 1u);
  EXPECT_EQ(problems_of("url", "src/url/url.cc", "#include \"../base/file.h\"\n").size(), 1u);
  EXPECT_EQ(problems_of("url", "src/url/url.cc", "#include \"unknown/file.h\"\n").size(), 1u);
}

TEST_F(IncludeRulesOf, ForbiddenLibraryIsFound) {
  const auto problems = problems_of("base", "src/base/CMakeLists.txt", "aduana_module(base\n  LINK aduana_url)\n");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0], "src/base/CMakeLists.txt:2: `base` may use nothing, not `url` (src/MODULES)");
}

TEST_F(IncludeRulesOf, TableWithACycleATypoOrARepetitionIsRefused) {
  EXPECT_EQ(problems_of_table("a: b\nb: a\n").size(), 1u);
  EXPECT_EQ(problems_of_table("a: a\n").size(), 1u);
  EXPECT_EQ(problems_of_table("a\n").size(), 1u);
  EXPECT_EQ(problems_of_table("a:\na:\n").size(), 1u);
  EXPECT_EQ(problems_of_table("# a comment\n\na:\nb: a\n"), Problems{});
}

}  // namespace
}  // namespace aduana
