#include "json_reader.hpp"
#include "runner.hpp"
#include <sluice/render/string_writer.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::test {

namespace {

json_options strict() {
    return json_options().invalid_utf8(invalid_utf8_policy::error);
}

} // namespace

TEST(StringWriterTest, PiecesOfAStringAreItsBytesWhereverItIsCut) {
    const std::string text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n<\xe2\x80\xa8z";
    for (const json_options& options : {json_options(), json_options().html_safe(true), strict()}) {
        const std::string whole = to_string([&](slot out) { return out(text); }, options);
        for (std::size_t first = 0; first <= text.size(); ++first) {
            for (std::size_t second = first; second <= text.size(); ++second) {
                for (const std::size_t chunk : {1U, 64U}) {
                    const outcome came = render_at_once(
                        [&](slot out) -> task<> {
                            auto pieces = out.string();
                            const std::string_view all = text;
                            co_await pieces(all.substr(0, first));
                            co_await pieces(all.substr(first, second - first));
                            co_await pieces(all.substr(second));
                        },
                        options, chunk, 1);
                    ASSERT_EQ(came.bytes, whole) << first << " " << second << " " << came.result.message();
                }
            }
        }
    }
}

TEST(StringWriterTest, PiecesOfInvalidTextAreReplacedAsTheWholeIs) {
    const std::vector<std::string> wrong = {"\xe2\x82",         "a\xe2\x82z", "\xf0\x9f\x98",
                                            "\xe2\xe2\x82\xac", "\xff\xfe",   "\xc3"};
    for (const std::string& text : wrong) {
        const std::string whole = to_string([&](slot out) { return out(text); });
        const outcome came = render_plain([&](slot out) -> task<> {
            auto pieces = out.string();
            for (const char& c : text)
                co_await pieces(std::string_view(&c, 1));
        });
        EXPECT_EQ(came.bytes, whole);
        const outcome failed = render_plain(
            [&](slot out) -> task<> {
                auto pieces = out.string();
                for (const char& c : text)
                    co_await pieces(std::string_view(&c, 1));
            },
            strict());
        EXPECT_EQ(failed.result.error, errc::invalid_utf8);
        EXPECT_FALSE(is_json(failed.bytes));
    }
}

} // namespace sluice::test
