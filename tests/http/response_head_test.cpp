#include <sluice/http/response_head.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace sluice::http {
namespace {

TEST(ResponseHeadTest, FieldsAreFoundWhateverTheCaseOfTheirNames) {
    response_head head(201);
    head.set("X-One", " 1\t").add("Set-Cookie", "a").add("set-cookie", "b");
    EXPECT_EQ(head.status(), 201u);
    ASSERT_NE(head.find("x-ONE"), nullptr);
    EXPECT_EQ(*head.find("x-ONE"), "1");
    EXPECT_EQ(*head.find("SET-COOKIE"), "a");
    EXPECT_EQ(head.find("X-On"), nullptr);
    EXPECT_EQ(head.fields().size(), 3u);
}

TEST(ResponseHeadTest, SetReplacesAllAddAddsEraseErases) {
    response_head head;
    head.add("a", "1").add("b", "2").add("A", "3").set("a", "4");
    ASSERT_EQ(head.fields().size(), 2u);
    EXPECT_EQ(head.fields()[1].value, "4");
    head.set(head.fields()[1].name, head.fields()[0].value); // views of what is replaced
    EXPECT_EQ(*head.find("a"), "2");
    head.erase("B");
    EXPECT_EQ(head.fields().size(), 1u);
}

TEST(ResponseHeadTest, NoValueCanAddAFieldAndNoNameIsEmpty) {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string text = std::string("a") + static_cast<char>(byte) + "b";
        const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
        response_head head;
        if (control) {
            EXPECT_THROW(head.set("X", text), std::invalid_argument) << byte;
        } else {
            EXPECT_NO_THROW(head.set("X", text)) << byte;
        }
        const bool token = byte > 0x20 && byte < 0x7f &&
                           std::string("\"(),/:;<=>?@[\\]{}").find(static_cast<char>(byte)) == std::string::npos;
        if (token) {
            EXPECT_NO_THROW(head.set(text, "1")) << byte;
        } else {
            EXPECT_THROW(head.set(text, "1"), std::invalid_argument) << byte;
        }
    }
    EXPECT_THROW(response_head().set("", "1"), std::invalid_argument);
    EXPECT_THROW(response_head(99), std::invalid_argument);
    EXPECT_THROW(response_head().status(1000), std::invalid_argument);
}

} // namespace
} // namespace sluice::http
