#include "control_file.hpp"

#include "data_source.hpp"
#include "mapped_file.hpp"
#include "test_files.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace package_catalog {
namespace {

using records = std::vector<plain_record>;

TEST(ControlFileTest, RecordsAreSeparatedByEmptyLines) {
    const records expected{{{"Package", "a"}, {"Version", "1"}}, {{"Package", "b"}}};
    EXPECT_EQ(read_all("Package: a\nVersion: 1\n\nPackage: b\n"), expected);
}

TEST(ControlFileTest, MoreEmptyLinesMakeNoRecords) {
    EXPECT_EQ(read_all("\n \n\t\nPackage: a\n\n \t \n\nPackage: b\n\n\n").size(), 2U);
    EXPECT_TRUE(read_all("").empty());
    EXPECT_TRUE(read_all("\n").empty());
    EXPECT_TRUE(read_all("# only a comment").empty());
}

TEST(ControlFileTest, TheLastLineMayEndWithTheFile) {
    const records expected{{{"Package", "a"}, {"Description", "b\nc"}}};
    EXPECT_EQ(read_all("Package: a\nDescription: b\n c"), expected);
}

TEST(ControlFileTest, BlanksAroundAValueAreNoPartOfIt) {
    const records expected{{{"Package", "a"}, {"X", ""}, {"Y", "b  c"}, {"Z", "d"}}};
    EXPECT_EQ(read_all("Package:a\nX:\nY: \t b  c \t\nZ:  d  \n"), expected);
}

TEST(ControlFileTest, AColonInAValueIsAnOrdinaryByte) {
    const records expected{{{"Package", "a"}, {"Homepage", "https://a:1/"}}};
    EXPECT_EQ(read_all("Package: a\nHomepage: https://a:1/\n"), expected);
}

TEST(ControlFileTest, ContinuationLinesKeepTheirBreaksAndIndentation) {
    const records expected{{{"Package", "a"}, {"Description", "one \n two\n\nthree\n  .\nfour"}}};
    EXPECT_EQ(read_all("Package: a\nDescription: one \n  two\n .\n three\n   .\n\tfour \n"), expected);
}

TEST(ControlFileTest, AnEmptyFirstLineIsKeptBeforeContinuations) {
    const records expected{{{"Package", "a"}, {"Conffiles", "\n/etc/a 0\n/etc/b 1"}}};
    EXPECT_EQ(read_all("Package: a\nConffiles: \n /etc/a 0\n /etc/b 1\n"), expected);
}

TEST(ControlFileTest, CommentsAreSkippedWhereverTheyStand) {
    const records expected{{{"Package", "a"}, {"X", "one\ntwo"}, {"Y", "#3"}}, {{"Package", "b"}}};
    EXPECT_EQ(read_all("#\n\n# x: y\nPackage: a\nX: one\n#c\n#d\n two\n# e\nY: #3\n# f\n\n#g\n\nPackage: b\n#h"),
              expected);
}

TEST(ControlFileTest, CarriageReturnsBeforeLineFeedsAreNoPartOfAnything) {
    const records expected{{{"Package", "a"}, {"X", "one\ntwo"}, {"Y", ""}, {"Z", "\nthree"}}, {{"Package", "b"}}};
    EXPECT_EQ(read_all("Package: a\r\nX: one\r\n two\r\nY:\r\nZ:\r\n three\r\n\r\nPackage: b\r\n"), expected);
}

TEST(ControlFileTest, NamesKeepTheirSpelling) {
    const records expected{{{"pAcKaGe", "a"}, {"X!~$", "b"}}};
    EXPECT_EQ(read_all("pAcKaGe: a\nX!~$: b\n"), expected);
}

TEST(ControlFileTest, AnyBytesMayStandInAValue) {
    const std::string value("\x01\x7F\xC3\xFF\0x", 6);
    const records expected{{{"Package", "a"}, {"X", value}}};
    EXPECT_EQ(read_all("Package: a\nX: " + value + "\n"), expected);
}

TEST(ControlFileTest, ALineWithoutAColonIsMalformed) {
    const std::string reason = "neither 'Field: value' nor a continuation line: there is no colon";
    EXPECT_EQ(failure_of("Package: a\nVersion"), "2: " + reason);
    EXPECT_EQ(failure_of("Package: a\n\n\nVersion 1\nX: y\n"), "4: " + reason);
    EXPECT_EQ(failure_of("{\"json\"}"), "1: " + reason);
    // The colon of the next line is not this one's.
    EXPECT_EQ(failure_of("Package\n: a\n"), "1: " + reason);
}

TEST(ControlFileTest, AFieldWithoutANameIsMalformed) {
    EXPECT_EQ(failure_of("Package: a\n: b\n"), "2: a field without a name");
}

TEST(ControlFileTest, AByteThatNoNameHasIsMalformed) {
    EXPECT_EQ(failure_of("Package: a\nMy Field: b\n"), "2: a field name with a blank in it");
    EXPECT_EQ(failure_of("Package : a\n"), "1: a field name with a blank in it");
    EXPECT_EQ(failure_of("\xEF\xBB\xBFPackage: a\n"), "1: a field name with the byte 0xEF in it");
    EXPECT_EQ(failure_of("\rPackage: a\n"), "1: a field name with the byte 0x0D in it");
    EXPECT_EQ(failure_of("-----BEGIN: x\n"), "1: a field name that begins with '-'");
    EXPECT_EQ(failure_of(std::string("Pack\0age: a\n", 12)), "1: a field name with the byte 0x00 in it");
}

TEST(ControlFileTest, AContinuationWithoutAFieldIsMalformed) {
    EXPECT_EQ(failure_of(" x\n"), "1: a continuation line, but no field to continue");
    EXPECT_EQ(failure_of("Package: a\n\n\tx\n"), "3: a continuation line, but no field to continue");
}

TEST(ControlFileTest, ARepeatedFieldIsMalformed) {
    EXPECT_EQ(failure_of("Package: a\nX: 1\n 2\nX: 3\n"), "4: the field 'X' again: the record has it in line 2");
    EXPECT_EQ(failure_of("Package: a\nPackage: a\n"), "2: the field 'Package' again: the record has it in line 1");
    EXPECT_EQ(failure_of("Package: a\nMD5Sum: 1\nMD5sum: 2\n"),
              "3: the field 'MD5sum' has the key of 'MD5Sum' in line 2");
    EXPECT_EQ(failure_of("Package: a\nA-b: 1\nA_B: 2\n"), "3: the field 'A_B' has the key of 'A-b' in line 2");
    EXPECT_EQ(failure_of("Package: a\nX: 1\n\nPackage: b\nX: 1\n"), "");
}

TEST(ControlFileTest, ARecordWithoutANameIsMalformed) {
    EXPECT_EQ(failure_of("Package: a\n\n# c\nVersion: 1\nX: y\n\nPackage: b\n"), "4: a record without a Package field");
    EXPECT_EQ(failure_of("Version: 1\nPackage:\n"), "2: a Package field that is not one name");
    EXPECT_EQ(failure_of("Package: a\n b\n"), "1: a Package field that is not one name");
}

TEST(ControlFileTest, ARecordHoldsNoMoreFieldsThanTheBound) {
    std::string text = "Package: a\n";
    for (std::size_t at = 1; at < control_reader::max_fields; ++at)
        text += "X-" + std::to_string(at) + ": \n";
    EXPECT_EQ(failure_of(text), "");
    EXPECT_EQ(failure_of(text + "X-0: \n"), "1025: more than 1024 fields in one record");
}

TEST(ControlFileTest, AnErrorNamesFileLineAndReason) {
    record current;
    control_reader reader("Package: a\n\nx\n", "some/file");
    ASSERT_TRUE(reader.read(current));
    for (int attempt = 0; attempt < 2; ++attempt) {
        try {
            reader.read(current);
            FAIL() << "the line is taken";
        } catch (const malformed_input& error) {
            EXPECT_EQ(error.file(), "some/file");
            EXPECT_EQ(error.line(), 3U);
            EXPECT_EQ(error.what(), "some/file:3: " + error.reason());
        }
    }
}

TEST(ControlFileTest, ReadingMayBeginAtAnyRecord) {
    const std::string_view text = "Package: a\n\n# c\nPackage: b\n\nPackage: c\n\nbad\n";
    record current;
    control_reader reader(text, "f");
    std::vector<std::size_t> offsets;
    for (int count = 0; count < 3; ++count) {
        ASSERT_TRUE(reader.read(current));
        offsets.push_back(current.offset());
    }
    EXPECT_EQ(offsets, (std::vector<std::size_t>{0, 16, 28}));
    control_reader second(text, "f", offsets[1]);
    ASSERT_TRUE(second.read(current));
    EXPECT_EQ(current.package(), "b");
    ASSERT_TRUE(second.read(current));
    EXPECT_EQ(current.package(), "c");
    try {
        second.read(current);
        FAIL() << "the line is taken";
    } catch (const malformed_input& error) {
        EXPECT_EQ(error.line(), 8U);
    }
}

TEST(ControlFileTest, NothingIsCopied) {
    const std::string text = "Package: a\nDescription: b\n c\n";
    record current;
    control_reader reader(text, "f");
    ASSERT_TRUE(reader.read(current));
    for (const field& item : current.fields()) {
        EXPECT_GE(item.name.data(), text.data());
        EXPECT_LE(item.value.data() + item.value.size(), text.data() + text.size());
    }
    EXPECT_EQ(current.fields()[1].value, "b\n c");
}

// Reads every value in every way, so that a view past the end is found by AddressSanitizer.
std::size_t read_values(const record& current) {
    std::string buffer;
    std::size_t sum = 0;
    for (const field& item : current.fields()) {
        sum += json_key(item, buffer).size() + text_of(item, buffer).size();
        const std::string_view list = list_of(item, buffer);
        for (const dependency_group& group : dependency_groups(list)) {
            for (const dependency& alternative : group) {
                sum += alternative.text.size() + alternative.version.size();
                for (const std::string_view word : alternative.architectures)
                    sum += word.size();
                for (const word_list& profiles : alternative.profiles)
                    for (const std::string_view word : profiles)
                        sum += word.size();
            }
        }
        std::string whole;
        for (const tag& one : tag_list(list))
            sum += tag_of(one, whole).size();
        const person someone = parse_person(list);
        sum += name_of(someone, whole).size() + parse_size(list).value_or(0) % 2;
    }
    return sum;
}

constexpr std::string_view small_sample = "# comment\n"
                                          "Package: alpha\n"
                                          "Maintainer: \"A \\\"B\\\"\" <a@x>, C\n"
                                          "Depends: a (>= 1) [x !y] <!p> <q> | b:any,\n"
                                          "# inside\n"
                                          " c\n"
                                          "Tag: a::{b, c}, d\n"
                                          "\n"
                                          "Package: beta\r\n"
                                          "Size: 12\r\n"
                                          "Description: x\r\n"
                                          " .\r\n"
                                          " y\r\n"
                                          " \t\n"
                                          "Package: gamma\n"
                                          "X-Other:\n"
                                          " z\n";

TEST(ControlFileTest, ACutFileIsAnErrorOrAShorterList) {
    const std::vector<plain_record> whole = read_all(small_sample);
    ASSERT_EQ(whole.size(), 3U);
    std::size_t errors = 0;
    std::size_t lists = 0;
    for (std::size_t size = 0; size < small_sample.size(); ++size) {
        SCOPED_TRACE(size);
        // A block of just that size: AddressSanitizer sees a read past it.
        const std::vector<char> cut(small_sample.begin(), small_sample.begin() + static_cast<std::ptrdiff_t>(size));
        record current;
        control_reader reader({cut.data(), cut.size()}, "cut");
        std::size_t count = 0;
        try {
            while (reader.read(current)) {
                ASSERT_LT(count, whole.size());
                const plain_record& complete = whole[count++];
                ASSERT_LE(current.fields().size(), complete.size());
                for (std::size_t at = 0; at < current.fields().size(); ++at)
                    EXPECT_EQ(current.fields()[at].name, complete[at].first);
                read_values(current);
            }
            ++lists;
        } catch (const malformed_input& error) {
            EXPECT_GT(error.line(), 1U);
            ++errors;
        }
    }
    EXPECT_EQ(errors + lists, small_sample.size());
    EXPECT_GT(errors, 50U);
    EXPECT_GT(lists, 100U);
}

TEST(ControlFileTest, AnyByteInAnyPlaceIsAnErrorOrAList) {
    std::size_t errors = 0;
    for (std::size_t at = 0; at < small_sample.size(); ++at) {
        for (const char byte : std::string_view("\0\n\r\t :#-.,|<>()[]{}\"\\a\xFF", 24)) {
            std::vector<char> changed(small_sample.begin(), small_sample.end());
            changed[at] = byte;
            record current;
            control_reader reader({changed.data(), changed.size()}, "changed");
            try {
                while (reader.read(current))
                    read_values(current);
            } catch (const malformed_input& error) {
                ASSERT_LE(error.line(), 18U);
                ++errors;
            }
        }
    }
    EXPECT_GT(errors, 0U);
}

TEST(ControlFileTest, TheSampleIsReadWhole) {
    const mapped_file file(sample_path());
    record current;
    std::size_t count = 0;
    std::set<std::string, std::less<>> names;
    std::size_t invalid = 0;
    for (control_reader reader(file.text(), file.name()); reader.read(current); ++count) {
        EXPECT_GT(read_values(current), 0U);
        for (const field& item : current.fields()) {
            names.emplace(item.name);
            if (item.kind == field_kind::dependencies)
                for (const dependency_group& group : dependency_groups(item.value))
                    for (const dependency& alternative : group)
                        invalid += !alternative.is_valid;
            if (item.kind == field_kind::size) {
                EXPECT_TRUE(parse_size(item.value)) << item.value;
            }
        }
    }
    EXPECT_EQ(count, 87U);
    EXPECT_EQ(invalid, 0U);
    for (const char* name : {"Depends", "Pre-Depends", "Tag", "Multi-Arch", "Essential", "Ruby-Versions", "Ghc-Package",
                             "Cnf-Visible-Pkgname", "Static-Built-Using", "Original-Maintainer"})
        EXPECT_TRUE(names.contains(std::string_view(name))) << name;
}

} // namespace
} // namespace package_catalog
