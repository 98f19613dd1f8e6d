// The sinks that wait for nothing: string, stream, file, callback.
#include <sluice/coro/sync_wait.hpp>
#include <sluice/output/callback_sink.hpp>
#include <sluice/output/file_sink.hpp>
#include <sluice/output/ostream_sink.hpp>
#include <sluice/output/string_sink.hpp>
#include <sluice/sluice.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

namespace sluice::test {

namespace {

// Longer than two of the default chunks.
task<> long_document(slot out) {
    auto list = out.array();
    const std::string text(500, 't');
    for (int i = 0; i < 200; ++i)
        co_await list.list(text);
}

std::string long_text() {
    std::string text = "[";
    for (int i = 0; i < 200; ++i)
        text += (i == 0 ? "\"" : ",\"") + std::string(500, 't') + "\"";
    return text + "]";
}

render_result render_to(sink& to) {
    return coro::sync_wait(render(to, long_document));
}

// A path in a directory of its own, removed at the end.
class temporary_file {
public:
    temporary_file() {
        const char* base = std::getenv("TMPDIR");
        std::string pattern = std::string(base != nullptr ? base : "/tmp") + "/sluice-sinks-XXXXXX";
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::system_error(errno, std::generic_category());
        folder_ = pattern;
    }
    ~temporary_file() {
        std::remove(path().c_str());
        ::rmdir(folder_.c_str());
    }
    std::string path() const { return folder_ + "/document.json"; }
    std::string content() const {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    std::string folder_;
};

} // namespace

TEST(StringSinkTest, AppendsToWhatTheStringHolds) {
    std::string text = "before ";
    string_sink sink(text);
    const render_result result = render_to(sink);
    EXPECT_FALSE(result.error);
    EXPECT_EQ(text, "before " + long_text());
    EXPECT_EQ(result.bytes, long_text().size());
}

TEST(OstreamSinkTest, WritesToTheStream) {
    std::ostringstream stream;
    ostream_sink sink(stream);
    EXPECT_FALSE(render_to(sink).error);
    EXPECT_EQ(stream.str(), long_text());
}

TEST(OstreamSinkTest, ABadStreamFailsTheRender) {
    std::ofstream closed;
    ostream_sink sink(closed);
    EXPECT_EQ(render_to(sink).error, std::io_errc::stream);
    std::ofstream full("/dev/full");
    ASSERT_TRUE(full);
    ostream_sink full_sink(full);
    EXPECT_EQ(render_to(full_sink).error, std::io_errc::stream);
}

TEST(OstreamSinkTest, AStreamThatThrowsFailsTheRender) {
    std::ostringstream stream;
    stream.exceptions(std::ios::badbit);
    ostream_sink sink(stream);
    stream.clear();
    struct failing_buffer : std::streambuf {
    } buffer;
    std::ostream bad(&buffer);
    bad.exceptions(std::ios::badbit | std::ios::failbit);
    ostream_sink bad_sink(bad);
    EXPECT_EQ(render_to(bad_sink).error, std::io_errc::stream);
    EXPECT_FALSE(render_to(sink).error);
}

TEST(OstreamSinkTest, ASmallDocumentIsFlushedAtItsEnd) {
    struct counting_buffer : std::stringbuf {
        int syncs = 0;
        int sync() override { return ++syncs, 0; }
    } buffer;
    std::ostream stream(&buffer);
    ostream_sink sink(stream);
    EXPECT_FALSE(coro::sync_wait(render(sink, [](slot out) { return out(1); })).error);
    EXPECT_EQ(buffer.syncs, 1);
    EXPECT_EQ(buffer.str(), "1");
}

TEST(FileSinkTest, WritesTheFileAndReplacesWhatWasThere) {
    const temporary_file file;
    std::ofstream(file.path()) << std::string(1'000'000, 'o');
    file_sink sink(file.path());
    EXPECT_FALSE(render_to(sink).error);
    EXPECT_EQ(file.content(), long_text()); // the sink still lives: the end has closed the file
}

TEST(FileSinkTest, AFailedRenderLeavesNoWholeDocument) {
    const temporary_file file;
    {
        file_sink sink(file.path());
        const render_result result = coro::sync_wait(render(sink, [](slot out) -> task<> {
            co_await long_document(std::move(out));
            throw std::runtime_error("late");
        }));
        EXPECT_EQ(result.error, errc::template_threw);
    }
    EXPECT_LT(file.content().size(), long_text().size());
}

TEST(FileSinkTest, APathThatCannotBeWrittenIsNamed) {
    for (const std::string path : {"/nowhere/at/all.json", "/"}) {
        try {
            file_sink sink(path);
            FAIL();
        } catch (const std::system_error& error) {
            EXPECT_TRUE(error.code() == std::errc::no_such_file_or_directory ||
                        error.code() == std::errc::is_a_directory);
            EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
        }
    }
}

TEST(FileSinkTest, AFullDeviceFailsTheRender) {
    file_sink sink("/dev/full");
    const render_result result = render_to(sink);
    EXPECT_EQ(result.error, std::errc::no_space_on_device);
    EXPECT_EQ(result.bytes, 0U);
}

TEST(FileSinkTest, ADescriptorStaysOpen) {
    const temporary_file file;
    const int descriptor = ::open(file.path().c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(descriptor, 0);
    {
        file_sink sink(descriptor);
        EXPECT_FALSE(render_to(sink).error);
    }
    EXPECT_EQ(::write(descriptor, "\n", 1), 1);
    EXPECT_EQ(::close(descriptor), 0);
    EXPECT_EQ(file.content(), long_text() + "\n");
}

TEST(CallbackSinkTest, TakesTheBytesInOrder) {
    std::string text;
    std::size_t calls = 0;
    callback_sink sink([&](std::string_view bytes) {
        text += bytes;
        ++calls;
        return std::error_code();
    });
    EXPECT_FALSE(render_to(sink).error);
    EXPECT_EQ(text, long_text());
    EXPECT_GT(calls, 2U);
}

TEST(CallbackSinkTest, AnErrorFailsTheRenderAndIsTheLastCall) {
    std::size_t calls = 0;
    callback_sink sink([&](std::string_view) {
        return ++calls == 2 ? std::make_error_code(std::errc::timed_out) : std::error_code();
    });
    EXPECT_EQ(render_to(sink).error, std::errc::timed_out);
    EXPECT_EQ(calls, 2U);
}

TEST(CallbackSinkTest, WhatItThrowsIsTheError) {
    callback_sink own([](std::string_view) -> std::error_code {
        throw std::system_error(std::make_error_code(std::errc::host_unreachable));
    });
    EXPECT_EQ(render_to(own).error, std::errc::host_unreachable);
    callback_sink memory([](std::string_view) -> std::error_code { throw std::bad_alloc(); });
    EXPECT_EQ(render_to(memory).error, std::errc::not_enough_memory);
    callback_sink other([](std::string_view) -> std::error_code { throw std::runtime_error("x"); });
    EXPECT_EQ(render_to(other).error, errc::sink_failed);
    callback_sink strange([](std::string_view) -> std::error_code { throw 7; });
    EXPECT_EQ(render_to(strange).error, errc::sink_failed);
    callback_sink empty((callback_sink::function()));
    EXPECT_EQ(render_to(empty).error, errc::sink_failed);
}

} // namespace sluice::test
