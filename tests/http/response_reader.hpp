// A strict reader of HTTP/1.x responses for the tests: what of a byte string is a whole response, and what it says.
#pragma once

#include <charconv>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::http::test {

struct read_response {
    unsigned status = 0; // 0: no whole head is there
    std::string status_line;
    std::map<std::string, std::string> fields;
    std::string body;
    std::vector<std::size_t> chunks; // sizes, the last one's 0 too
    bool complete = false;           // also when nothing but the end of the connection could say so: see closed
    bool malformed = false;
    std::size_t size = 0; // bytes of it
};

// `head_request`: the response is to HEAD. `closed`: nothing comes after the bytes.
inline read_response read(std::string_view bytes, bool head_request = false, bool closed = false) {
    read_response out;
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == bytes.npos)
        return out;
    std::string_view head = bytes.substr(0, end + 2);
    std::string_view rest = bytes.substr(end + 4);
    const std::size_t first = head.find("\r\n");
    out.status_line = head.substr(0, first);
    std::from_chars(out.status_line.data() + 9, out.status_line.data() + 12, out.status);
    for (std::string_view lines = head.substr(first + 2); !lines.empty();) {
        const std::size_t line_end = lines.find("\r\n");
        const std::string_view line = lines.substr(0, line_end);
        const std::size_t colon = line.find(": ");
        if (colon == line.npos || !out.fields.emplace(line.substr(0, colon), line.substr(colon + 2)).second)
            out.malformed = true;
        lines.remove_prefix(line_end + 2);
    }
    out.size = end + 4;
    if (head_request || out.status < 200 || out.status == 204 || out.status == 304) {
        out.complete = true;
    } else if (out.fields.contains("Transfer-Encoding")) {
        while (!out.malformed) {
            std::size_t size = 0;
            const std::size_t line_end = rest.find("\r\n");
            if (line_end == rest.npos)
                break;
            const auto number = std::from_chars(rest.data(), rest.data() + line_end, size, 16);
            out.malformed = number.ptr != rest.data() + line_end;
            if (rest.size() < line_end + 2 + size + 2)
                break;
            out.malformed = out.malformed || rest.substr(line_end + 2 + size, 2) != "\r\n";
            out.body += rest.substr(line_end + 2, size);
            out.chunks.push_back(size);
            out.size += line_end + 2 + size + 2;
            rest.remove_prefix(line_end + 2 + size + 2);
            if (size == 0) {
                out.complete = true;
                break;
            }
        }
    } else if (const auto length = out.fields.find("Content-Length"); length != out.fields.end()) {
        std::size_t size = 0;
        std::from_chars(length->second.data(), length->second.data() + length->second.size(), size);
        out.body = rest.substr(0, size);
        out.complete = out.body.size() == size;
        out.size += out.body.size();
    } else {
        out.body = rest;
        out.complete = closed;
        out.size += rest.size();
    }
    return out;
}

} // namespace sluice::http::test
