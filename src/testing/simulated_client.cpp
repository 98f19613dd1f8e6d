#include "connection.hpp"
#include <sluice/testing/simulated_client.hpp>

#include <algorithm>

namespace sluice::testing {

void simulated_client::accepts_at_most(std::size_t bytes) {
    accepts_in_turn({bytes});
}

void simulated_client::accepts_in_turn(std::vector<std::size_t> pattern) {
    link_->pattern = std::move(pattern);
    link_->turn = 0;
    for (std::size_t& bytes : link_->pattern)
        bytes = std::max<std::size_t>(bytes, 1); // what takes nothing is a window of 0
}

void simulated_client::set_window(std::size_t bytes) {
    link_->window = bytes;
    link_->wake();
}

void simulated_client::open_window(std::size_t bytes) {
    link_->window = bytes > unlimited - link_->window ? unlimited : link_->window + bytes;
    link_->wake();
}

std::size_t simulated_client::window() const noexcept {
    return link_->window;
}

void simulated_client::sends(std::string_view bytes) {
    if (bytes.empty())
        return;
    link_->inbound.emplace_back(bytes);
    link_->wake();
}

void simulated_client::sends_in_pieces(std::string_view bytes, std::size_t size) {
    for (std::size_t at = 0; at < bytes.size(); at += size)
        sends(bytes.substr(at, size));
}

void simulated_client::finishes() {
    link_->client_finished = true;
    link_->wake();
}

void simulated_client::closes() {
    link_->client_closed = true;
    link_->wake();
}

void simulated_client::resets() {
    link_->reset = true;
    link_->wake();
}

void simulated_client::closes_after(std::size_t bytes) {
    if (bytes <= link_->bytes_received)
        closes();
    else
        link_->closes_after = bytes;
}

void simulated_client::resets_after(std::size_t bytes) {
    if (bytes <= link_->bytes_received)
        resets();
    else
        link_->resets_after = bytes;
}

void simulated_client::fail_write(std::size_t n, std::error_code error) {
    link_->failing_write = n;
    link_->write_error = detail::as_reported(error);
}

void simulated_client::fail_read(std::size_t n, std::error_code error) {
    link_->failing_read = n;
    link_->read_error = detail::as_reported(error);
}

void simulated_client::on_operation(std::function<std::error_code()> ask) {
    link_->ask = std::move(ask);
}

const std::string& simulated_client::received() const noexcept {
    return link_->received;
}

std::string simulated_client::take_received() {
    return std::exchange(link_->received, {});
}

std::uint64_t simulated_client::bytes_received() const noexcept {
    return link_->bytes_received;
}

const std::vector<std::size_t>& simulated_client::write_sizes() const noexcept {
    return link_->write_sizes;
}

std::size_t simulated_client::writes_started() const noexcept {
    return link_->writes_started;
}

std::size_t simulated_client::reads_started() const noexcept {
    return link_->reads_started;
}

std::size_t simulated_client::unread() const noexcept {
    std::size_t size = 0;
    for (const std::string& piece : link_->inbound)
        size += piece.size();
    return size;
}

bool simulated_client::write_pending() const noexcept {
    return static_cast<bool>(link_->writing);
}

bool simulated_client::read_pending() const noexcept {
    return static_cast<bool>(link_->reading);
}

std::size_t simulated_client::overlapping_operations() const noexcept {
    return link_->overlapping;
}

bool simulated_client::server_finished() const noexcept {
    return link_->shut_send || link_->closed;
}

bool simulated_client::server_closed() const noexcept {
    return link_->closed;
}

} // namespace sluice::testing
