// Keys that are known at run time: their limits, and how messages show them.
#include "expect_failure.hpp"
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice::test {

TEST(KeyTest, AKeyHasALimit) {
    const auto keyed = [](std::string key) {
        return [key](slot out) -> task<> {
            auto json = out.object();
            auto inner = json["inner"].object();
            co_await inner(key, 1);
        };
    };
    for (const std::size_t chunk : {1U, 16U, 16384U}) {
        const outcome right = render_at_once(keyed(std::string(2048, 'k')), {}, chunk, chunk);
        EXPECT_EQ(right.result.message(), "");
        EXPECT_TRUE(right.bytes == R"({"inner":{")" + std::string(2048, 'k') + R"(":1}})");
        EXPECT_EQ(render_at_once(keyed(std::string(2049, 'k')), {}, chunk, chunk).result.error, errc::key_too_long);
        // What is written counts: a control character is six bytes.
        const std::string right_escapes(341, '\x01');
        EXPECT_EQ(render_at_once(keyed(right_escapes), {}, chunk, chunk).result.message(), "");
        EXPECT_EQ(render_at_once(keyed(right_escapes + '\x01'), {}, chunk, chunk).result.error, errc::key_too_long);
    }
    expect_failure(keyed(std::string(100'000, 'k')), errc::key_too_long, "$.inner");
    const outcome failed = render_plain(keyed(std::string(5'000, 'k')));
    EXPECT_NE(failed.result.message().find("a key takes 5000 bytes; the limit is 2048"), std::string::npos)
        << failed.result.message();
}

// Only its size is read: the error comes before a byte of it is.
TEST(KeyTest, AKeyWhoseSizeDoesNotFit32BitsIsTooLongToo) {
    const char* const text = "abc";
    expect_failure(
        [&](slot out) -> task<> {
            auto json = out.object();
            co_await json(std::string_view(text, (std::size_t{1} << 32) + 3), 1);
        },
        errc::key_too_long, "$");
}

TEST(KeyTest, ANullPointerIsRefused) {
    const char* const none = nullptr;
    const outcome came = render_plain([&](slot out) -> task<> {
        auto json = out.object();
        const key name(none);
        co_await json(name, 1);
    });
    EXPECT_NE(came.result.message().find("a key is a null pointer"), std::string::npos) << came.result.message();
    EXPECT_EQ(came.bytes, "");
}

// No key writes lines or control characters of its own into a log.
TEST(KeyTest, MessagesShowKeysEscapedAndCut) {
    const auto failing = [](std::string name) {
        return [name](slot out) -> task<> {
            auto json = out.object();
            auto inner = json[name].object();
            co_await inner(name, std::numeric_limits<double>::quiet_NaN());
        };
    };
    const std::string lines = render_plain(failing("a\n\x1b[31mline")).result.message();
    EXPECT_NE(lines.find(R"($["a\n\u001b[31mline"]["a\n\u001b[31mline"])"), std::string::npos) << lines;
    EXPECT_EQ(lines.find('\n'), std::string::npos);
    EXPECT_EQ(lines.find('\x1b'), std::string::npos);
    EXPECT_LT(render_plain(failing(std::string(1000, 'k'))).result.message().size(), 300U);
    const outcome invalid = render_plain(failing("\xff"));
    EXPECT_NE(invalid.result.message().find("\xef\xbf\xbd"), std::string::npos) << invalid.result.message();
    const outcome parent = render_plain([](slot out) -> task<> {
        auto json = out.object();
        auto inner = json["inner"].object();
        co_await json(std::string_view("b\nb"), 1);
    });
    EXPECT_EQ(parent.result.error, errc::parent_written_while_child_open);
    EXPECT_EQ(parent.result.message().find('\n'), std::string::npos) << parent.result.message();
}

} // namespace sluice::test
