// SPDX-License-Identifier: Apache-2.0
#include "platform/posix/processtree.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace lockkeeper::platform {

namespace {

// The fields behind the name, which may itself contain blanks, parentheses and line feeds; see proc(5).
std::optional<RunningProcess> readProcess(const std::filesystem::path& folder) {
    std::ifstream file(folder / "stat");
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::istringstream fields(text.substr(text.rfind(')') + 1));  // nothing if it has ended in between
    char state = 0;
    RunningProcess process{};
    pid_t group = 0;
    fields >> state >> process.parent >> group >> process.session;
    const bool hasEnded = state == 'Z' || state == 'X';
    if (!fields || hasEnded)
        return std::nullopt;
    process.isStopped = state == 'T' || state == 't';
    const std::string name = folder.filename().string();
    std::from_chars(name.data(), name.data() + name.size(), process.id);
    return process;
}

std::vector<RunningProcess> allProcesses() {
    std::vector<RunningProcess> all;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        if (const std::optional<RunningProcess> process = readProcess(entry.path()))
            all.push_back(*process);
    }
    return all;
}

}  // namespace

std::vector<RunningProcess> descendants() {
    const std::vector<RunningProcess> all = allProcesses();
    std::vector<RunningProcess> found;
    const auto addChildrenOf = [&](pid_t parent) {
        std::ranges::copy_if(all, std::back_inserter(found), [parent](const RunningProcess& one) { return one.parent == parent; });
    };
    addChildrenOf(::getpid());
    for (size_t next = 0; next < found.size(); ++next)
        addChildrenOf(found[next].id);
    return found;
}

}  // namespace lockkeeper::platform
