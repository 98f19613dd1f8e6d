// For templates: the fragment defines `page`, which is rendered and printed. The data is what docs/turbostreamer.md
// lists.
#include <sluice/sluice.hpp>

#include <boost/describe/class.hpp>

#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

struct person {
    int id = 0;
    std::string name;
    int age = 0;
};
BOOST_DESCRIBE_STRUCT(person, (), (id, name, age))

struct post {
    int id = 0;
    std::string title;
};
BOOST_DESCRIBE_STRUCT(post, (), (id, title))

struct comment {
    std::string body;
    bool spam = false;
};
BOOST_DESCRIBE_STRUCT(comment, (), (body, spam))

const person david{1, "David", 32};
const std::vector<person> people = {david, {2, "Jamie", 31}};
const std::vector<post> posts = {{1, "Hello"}, {2, "World"}};
const std::vector<comment> comments = {{"great post", false}, {"buy", true}, {"me too", false}};

@fragment@

inline void example() { std::cout << sluice::to_string(page) << "\n"; }
