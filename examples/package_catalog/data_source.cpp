#include "data_source.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace package_catalog {

namespace {

std::string reason_of(int error) {
    return std::generic_category().message(error);
}

// An open file without a name.
class temporary_file {
public:
    temporary_file() {
        const char* const folder = std::getenv("TMPDIR");
        std::string path = folder && *folder ? folder : "/tmp";
        path += "/package_catalog.XXXXXX";
        descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
        if (descriptor_ < 0)
            throw std::runtime_error("no temporary file can be made as " + path + ": " + reason_of(errno));
        ::unlink(path.c_str());
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() { ::close(descriptor_); }

    int descriptor() const noexcept { return descriptor_; }

private:
    int descriptor_ = -1;
};

// Runs `program dumpavail` with its output in `output`. Throws when it cannot be run or does not succeed.
void run(const std::string& program, int output) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    std::string name = program;
    std::string command = "dumpavail";
    char* const arguments[] = {name.data(), command.data(), nullptr};
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw std::runtime_error(program + " cannot be run: " + reason_of(error));

    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            throw std::runtime_error(program + " cannot be waited for: " + reason_of(errno));
    if (WIFSIGNALED(status))
        throw std::runtime_error(program + " dumpavail was ended by signal " + std::to_string(WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0)
        throw std::runtime_error(program + " dumpavail failed with status " + std::to_string(WEXITSTATUS(status)));
}

mapped_file map_output(const std::string& program) {
    const temporary_file output;
    run(program, output.descriptor());
    if (::lseek(output.descriptor(), 0, SEEK_END) == 0)
        throw std::runtime_error(program + " dumpavail printed nothing");
    return mapped_file(output.descriptor(), program + " dumpavail");
}

} // namespace

data_source open_data(const std::optional<std::string>& data, const std::string& sample, const std::string& program) {
    if (data)
        return {mapped_file(*data), "serving " + *data};
    std::string reason;
    try {
        return {map_output(program), "serving what `" + program + " dumpavail` prints"};
    } catch (const std::runtime_error& error) {
        reason = error.what();
    }
    return {mapped_file(sample), "serving the sample " + sample + ", because " + reason};
}

std::string sample_path() {
    return PACKAGE_CATALOG_SAMPLE;
}

} // namespace package_catalog
