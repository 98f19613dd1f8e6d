// What the tests of the package catalogue share: a folder of their own, and records as plain lists.
#pragma once

#include "control_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace package_catalog {

// A new folder, removed with all that is in it.
class temporary_folder {
public:
    temporary_folder() {
        std::string path = (std::filesystem::temp_directory_path() / "catalog_test.XXXXXX").string();
        if (!::mkdtemp(path.data()))
            throw std::runtime_error("no folder can be made as " + path);
        path_ = path;
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string path(std::string_view name = {}) const {
        return name.empty() ? path_.string() : (path_ / name).string();
    }

    // Writes a file and gives its path.
    std::string write(std::string_view name, std::string_view content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path(name);
    }

private:
    std::filesystem::path path_;
};

using name_and_value = std::pair<std::string, std::string>;
using plain_record = std::vector<name_and_value>;

// All records of a text, each field with its name and its text.
inline std::vector<plain_record> read_all(std::string_view text) {
    std::vector<plain_record> result;
    std::string buffer;
    record current;
    for (control_reader reader(text, "test.control"); reader.read(current);) {
        plain_record& fields = result.emplace_back();
        for (const field& item : current.fields())
            fields.emplace_back(item.name, text_of(item, buffer));
    }
    return result;
}

// What reading a text fails with, as "<line>: <reason>"; empty when it does not fail.
inline std::string failure_of(std::string_view text) {
    try {
        read_all(text);
    } catch (const malformed_input& error) {
        return std::to_string(error.line()) + ": " + error.reason();
    }
    return {};
}

} // namespace package_catalog
