// SPDX-License-Identifier: Apache-2.0
#include "platform/posix/processtree.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace lockkeeper::platform {

namespace {

std::vector<RunningProcess> allProcesses() {
    std::vector<RunningProcess> all;
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator("/proc", error);
         entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        pid_t id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ec != std::errc())
            continue;
        std::ifstream stat(entry->path() / "stat");
        if (const std::optional<RunningProcess> process = readProcess(stat, id))
            all.push_back(*process);
    }
    return all;
}

// Takes no process away from those that wait for it. A kernel that refuses the question has not said that there are
// none.
bool mayHaveChildren() {
    siginfo_t ended{};
    return ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

}  // namespace

// Reads the fields after the name, which may itself contain blanks, parentheses and line feeds; see proc(5).
std::optional<RunningProcess> readProcess(std::istream& stat, pid_t id) {
    std::string text;
    std::getline(stat, text, '\0');  // an iterator of the stream would throw at the end of the process
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    char state = 0;
    RunningProcess process{};
    pid_t group = 0;
    fields >> state >> process.parent >> group >> process.session;
    const bool hasEnded = state == 'Z' || state == 'X';
    if (!fields || hasEnded)
        return std::nullopt;
    process.isStopped = state == 'T' || state == 't';
    process.id = id;
    return process;
}

std::vector<RunningProcess> descendants() {
    // Then there are no other descendants either. Reading all processes of the machine takes milliseconds.
    if (!mayHaveChildren())
        return {};
    const std::vector<RunningProcess> all = allProcesses();
    std::vector<RunningProcess> found;
    const auto addChildrenOf = [&](pid_t parent) {
        std::ranges::copy_if(all, std::back_inserter(found),
                             [parent](const RunningProcess& one) { return one.parent == parent; });
    };
    addChildrenOf(::getpid());
    for (size_t next = 0; next < found.size(); ++next)
        addChildrenOf(found[next].id);
    return found;
}

}  // namespace lockkeeper::platform
