#include "monitor/observe/strangers.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype maxStrangers = 10000;
constexpr Milliseconds dismissedFor = 1s;

}  // namespace

Strangers::Acquaintance Strangers::hear(const LockName& name, SteadyTime now) {
    if (m_strangers.size() >= maxStrangers)
        m_strangers.removeIf([now](const auto& entry) { return isForgettable(*entry, now); });
    if (m_strangers.size() >= maxStrangers && !m_strangers.contains(name))
        return Acquaintance::Old;
    Stranger& stranger = m_strangers[name];
    if (isForgettable(stranger, now))
        stranger = Stranger();
    return ++stranger.messages == 1 ? Acquaintance::New : Acquaintance::Old;
}

void Strangers::dismiss(const LockName& name, SteadyTime now) {
    const auto stranger = m_strangers.find(name);
    if (stranger != m_strangers.end())
        stranger->dismissedAt = now;
}

bool Strangers::isForgettable(const Stranger& stranger, SteadyTime now) {
    return stranger.dismissedAt && *stranger.dismissedAt + dismissedFor <= now;
}

}  // namespace lockkeeper::monitor
