#include "query.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace package_catalog {

namespace {

constexpr std::array<std::string_view, 5> parameter_names{"section", "q", "limit", "after", "buffered"};
constexpr std::string_view known_parameters = "the parameters of /packages are section, q, limit, after and buffered";

std::string quoted(std::string_view text) {
    return std::string(1, '\'').append(text).append(1, '\''); // g++ 12 warns of "'" + std::string at -O3, wrongly
}

problem bad_request(std::string detail) {
    return {400, "The request is not understood", std::move(detail)};
}

problem not_found(std::string detail) {
    return {404, "There is no such thing here", std::move(detail)};
}

int hex_value(char digit) noexcept {
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

char lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

bool contains_folded(std::string_view text, std::string_view wanted) noexcept {
    const auto is_same = [](char one, char other) { return lower(one) == lower(other); };
    return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), is_same) != text.end();
}

// Takes what stands before `separator` off the front of `rest`, and the separator with it.
std::string_view take_until(std::string_view& rest, char separator) noexcept {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
}

// Sets one parameter; the problem, if there is one.
std::optional<problem> set_parameter(list_request& request, std::string_view name, std::string value) {
    if (name == "section") {
        request.section = std::move(value);
    } else if (name == "q") {
        request.q = std::move(value);
    } else if (name == "after") {
        request.after = std::move(value);
    } else if (name == "limit") {
        std::uint64_t number = 0;
        const char* const end = value.data() + value.size();
        const auto [stopped, error] = std::from_chars(value.data(), end, number);
        if (error == std::errc::result_out_of_range)
            return bad_request("limit is " + quoted(value) + ", which is more than 64 bits hold");
        if (error != std::errc{} || stopped != end)
            return bad_request("limit is " + quoted(value) + ", not an unsigned number");
        request.limit = number;
    } else {
        if (value != "0" && value != "1")
            return bad_request("buffered is " + quoted(value) + ", neither 0 nor 1");
        request.buffered = value == "1";
    }
    return std::nullopt;
}

request_target parse_list(std::string_view query) {
    list_request request;
    std::array<bool, parameter_names.size()> seen{};
    while (!query.empty()) {
        const std::string_view parameter = take_until(query, '&');
        if (parameter.empty())
            continue;
        std::string_view raw_value = parameter;
        const std::string_view raw_name = take_until(raw_value, '=');
        const auto name = percent_decoded(raw_name);
        auto value = percent_decoded(raw_value);
        if (!name || !value)
            return bad_request("the parameter " + quoted(parameter) + " has a '%' without two hexadecimal digits");
        const auto found = std::find(parameter_names.begin(), parameter_names.end(), *name);
        if (found == parameter_names.end())
            return bad_request("there is no parameter " + quoted(*name) + "; " + std::string(known_parameters));
        bool& is_seen = seen[static_cast<std::size_t>(found - parameter_names.begin())];
        if (is_seen)
            return bad_request("the parameter " + quoted(*name) + " is there twice");
        is_seen = true;
        if (auto failed = set_parameter(request, *found, std::move(*value)))
            return std::move(*failed);
    }
    return request;
}

// What follows the authority of an absolute form; the target itself when it has another form.
std::string_view without_authority(std::string_view target) noexcept {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (!std::equal(scheme.begin(), scheme.end(), target.begin(),
                        target.begin() + static_cast<std::ptrdiff_t>(std::min(scheme.size(), target.size())),
                        [](char one, char other) { return one == lower(other); }))
            continue;
        const std::size_t end = std::min(target.find_first_of("/?#", scheme.size()), target.size());
        return target.substr(end);
    }
    return target;
}

} // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            result += text[at];
            continue;
        }
        if (text.size() - at < 3)
            return std::nullopt;
        const int high = hex_value(text[at + 1]);
        const int low = hex_value(text[at + 2]);
        if (high < 0 || low < 0)
            return std::nullopt;
        result += static_cast<char>(high * 16 + low);
        at += 2;
    }
    return result;
}

request_target parse_target(std::string_view target) {
    const std::string_view relative = without_authority(target);
    const bool has_authority = relative.size() != target.size();
    if (relative.find('#') != std::string_view::npos)
        return bad_request("a request target has no fragment: write '#' as %23");
    std::string_view query = relative;
    std::string_view path = take_until(query, '?');
    if (path.empty() && has_authority)
        path = "/";
    if (!path.starts_with('/'))
        return bad_request("the target " + quoted(target) + " is not a path that begins with '/'");

    constexpr std::string_view list_path = "/packages";
    if (path == list_path)
        return parse_list(query);

    request_target result;
    if (path == "/") {
        result = root_request{};
    } else if (path.starts_with(list_path) && path[list_path.size()] == '/' && path.size() > list_path.size() + 1 &&
               path.find('/', list_path.size() + 1) == std::string_view::npos) {
        auto name = percent_decoded(path.substr(list_path.size() + 1));
        if (!name)
            return bad_request("the path " + quoted(path) + " has a '%' without two hexadecimal digits");
        result = package_request{std::move(*name)};
    } else {
        return not_found("there is nothing at " + quoted(path) + "; GET / lists what there is");
    }
    if (!query.empty())
        return bad_request(quoted(path) + " takes no parameters; " + std::string(known_parameters));
    return result;
}

problem no_such_package(std::string_view name) {
    return not_found("the catalogue has no package " + quoted(name));
}

problem no_such_place(std::string_view name) {
    return bad_request("after is " + quoted(name) + ", and the catalogue has no package of that name");
}

bool matches(const record& candidate, const list_request& request) noexcept {
    if (!request.section.empty() && candidate.section() != request.section)
        return false;
    return request.q.empty() || contains_folded(candidate.package(), request.q) ||
           contains_folded(candidate.description(), request.q);
}

} // namespace package_catalog
