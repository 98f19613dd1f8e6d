#include <sluice/testing/holding_sink.hpp>

#include <algorithm>
#include <utility>

namespace sluice::testing {

sink::progress holding_sink::write(batch&& bytes, bool last, write_listener& listener,
                                   std::error_code& error) noexcept {
    batch taken = std::move(bytes);
    if (listener_ != nullptr)
        blame("a write while another is pending");
    else if (failed_)
        blame("a write after one has failed");
    else if (last_)
        blame("a write after the last");
    else if (detached_)
        blame("a write after detach");
    else if (aborted_)
        blame("a write after abort");
    else if (taken.empty() && !last)
        blame("an empty write that is not the last");
    if (!misuse_.empty()) {
        error = std::make_error_code(std::errc::operation_not_permitted);
        return progress::done;
    }
    pending_ = std::move(taken);
    held_ = pending_.size();
    last_ = last;
    listener_ = &listener;
    writes_.push_back(held_);
    if (accepts_everything_ || held_ == 0)
        scheduler_.post(*this);
    return progress::pending;
}

std::size_t holding_sink::accept(std::size_t most) {
    if (listener_ == nullptr || ended_)
        return 0;
    const bool fails = planned_write_ == 0;
    std::size_t begin = pending_.size() - held_;
    std::size_t left = std::min(most, held_);
    if (fails)
        left = std::min(left, planned_taken_ - std::min(planned_taken_, begin));
    const std::size_t taken = left;
    held_ -= taken;
    for (const std::string_view piece : pending_) {
        const std::string_view part = piece.substr(std::min(begin, piece.size())).substr(0, left);
        begin -= std::min(begin, piece.size());
        received_.append(part);
        left -= part.size();
    }
    if (fails && pending_.size() - held_ >= std::min(planned_taken_, pending_.size()))
        end_soon(planned_error_);
    else if (held_ == 0)
        end_soon({});
    return taken;
}

void holding_sink::accept_everything() {
    accepts_everything_ = true;
    if (listener_ != nullptr && !pending())
        scheduler_.post(*this);
}

void holding_sink::fail_write(std::size_t n, std::error_code error, std::size_t taken) noexcept {
    planned_write_ = n + (listener_ != nullptr ? 1 : 0);
    planned_error_ = error;
    planned_taken_ = taken;
}

void holding_sink::end_soon(std::error_code error) {
    ended_ = true;
    outcome_ = error;
    if (!pending())
        scheduler_.post(*this);
}

void holding_sink::run() noexcept {
    if (!ended_) {
        accept();
        if (!pending()) // an empty write, or one that goes on
            return;
        withdraw();
    }
    ended_ = false;
    if (planned_write_ != everything)
        planned_write_ = planned_write_ == 0 ? everything : planned_write_ - 1;
    failed_ = static_cast<bool>(outcome_);
    complete_ = last_ && !failed_;
    pending_.clear();
    held_ = 0;
    std::exchange(listener_, nullptr)->written(outcome_);
}

void holding_sink::cancel() noexcept {
    cancelled_ = true;
    if (listener_ != nullptr && !ended_)
        end_soon(std::make_error_code(std::errc::operation_canceled));
}

void holding_sink::detach() noexcept {
    detached_ = true;
    withdraw();
    listener_ = nullptr;
    pending_.clear();
    held_ = 0;
}

void holding_sink::abort() noexcept {
    aborted_ = true;
}

void holding_sink::blame(const char* what) noexcept {
    if (misuse_.empty())
        misuse_ = what;
}

} // namespace sluice::testing
