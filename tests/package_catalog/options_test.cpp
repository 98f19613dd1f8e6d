#include "options.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace package_catalog {
namespace {

using arguments = std::vector<const char*>;

options options_of(const arguments& given) {
    const auto parsed = parse_options(given);
    if (const auto* stopped = std::get_if<stop>(&parsed))
        ADD_FAILURE() << stopped->text;
    const auto* result = std::get_if<options>(&parsed);
    return result ? *result : options{};
}

// The first line of the message with which arguments are refused; empty when they are not.
std::string refusal_of(const arguments& given) {
    const auto parsed = parse_options(given);
    const auto* stopped = std::get_if<stop>(&parsed);
    if (!stopped)
        return {};
    EXPECT_EQ(stopped->status, 2);
    return stopped->text.substr(0, stopped->text.find('\n'));
}

TEST(OptionsTest, ThereAreDefaults) {
    const options result = options_of({});
    EXPECT_EQ(result.address, "127.0.0.1");
    EXPECT_EQ(result.port, 8080);
    EXPECT_GE(result.threads, 1U);
    EXPECT_FALSE(result.data);
}

TEST(OptionsTest, ValuesFollowAsArgumentOrAfterAnEqualsSign) {
    const options apart = options_of({"--port", "0", "--threads", "3", "--data", "a=b", "--address", "::1"});
    const options joined = options_of({"--port=0", "--threads=3", "--data=a=b", "--address=::1"});
    for (const options& result : {apart, joined}) {
        EXPECT_EQ(result.port, 0);
        EXPECT_EQ(result.threads, 3U);
        EXPECT_EQ(result.data, "a=b");
        EXPECT_EQ(result.address, "::1");
    }
}

TEST(OptionsTest, PortsEndAt65535) {
    EXPECT_EQ(options_of({"--port", "65535"}).port, 65535);
    for (const char* value : {"65536", "-1", "+1", "x", "", "80x", " 80", "4294967376"})
        EXPECT_EQ(refusal_of({"--port", value}),
                  "package_catalog: --port is '" + std::string(value) + "', not a port from 0 to 65535");
}

TEST(OptionsTest, ThreadsBeginAtOne) {
    EXPECT_EQ(options_of({"--threads", "1024"}).threads, 1024U);
    for (const char* value : {"0", "-1", "1025", "two", ""})
        EXPECT_EQ(refusal_of({"--threads", value}),
                  "package_catalog: --threads is '" + std::string(value) + "', not a number of threads from 1 to 1024");
}

TEST(OptionsTest, AddressesAreNumeric) {
    EXPECT_EQ(options_of({"--address", "0.0.0.0"}).address, "0.0.0.0");
    for (const char* value : {"localhost", "1.2.3", "1.2.3.4.5", "", "::g"})
        EXPECT_EQ(refusal_of({"--address", value}),
                  "package_catalog: --address is '" + std::string(value) + "', not an IPv4 or IPv6 address");
}

TEST(OptionsTest, AnUnknownOptionIsNamed) {
    EXPECT_EQ(refusal_of({"--prot", "1"}), "package_catalog: there is no option '--prot'");
    EXPECT_EQ(refusal_of({"--prot=1"}), "package_catalog: there is no option '--prot'");
    EXPECT_EQ(refusal_of({"-p"}), "package_catalog: there is no option '-p'");
    EXPECT_EQ(refusal_of({"--"}), "package_catalog: there is no option '--'");
    EXPECT_EQ(refusal_of({"--help=1"}), "package_catalog: there is no option '--help'");
}

TEST(OptionsTest, AnArgumentThatIsNoOptionIsNamed) {
    EXPECT_EQ(refusal_of({"file"}), "package_catalog: 'file' is no option; a file is given with --data");
    EXPECT_EQ(refusal_of({""}), "package_catalog: '' is no option; a file is given with --data");
}

TEST(OptionsTest, AMissingValueIsAnError) {
    for (const char* name : {"--port", "--threads", "--data", "--address"})
        EXPECT_EQ(refusal_of({name}), "package_catalog: " + std::string(name) + " needs a value");
    EXPECT_EQ(refusal_of({"--data="}), "package_catalog: --data is '', not the name of a file");
}

TEST(OptionsTest, ARepeatedOptionIsAnError) {
    EXPECT_EQ(refusal_of({"--port", "1", "--port=2"}), "package_catalog: --port is there twice");
}

TEST(OptionsTest, HelpNamesEveryOptionAndEndsWell) {
    const auto parsed = parse_options(arguments{"--help"});
    const auto* stopped = std::get_if<stop>(&parsed);
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->status, 0);
    for (const char* name : {"--port", "--threads", "--data", "--address", "--help"})
        EXPECT_NE(stopped->text.find(name), std::string::npos) << name;
}

} // namespace
} // namespace package_catalog
