// SPDX-License-Identifier: Apache-2.0
#include "ui/session/demoguide.h"

#include "lab/demostory.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/retranslating.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <variant>

namespace lockkeeper::ui {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds redissonWatchdogTimeout = 30s;

// Null if its watchdog renews.
const monitor::WatchdogStopped* stoppedWatchdog(const monitor::LockRow& row) {
    for (const monitor::Diagnosis& diagnosis : row.diagnoses) {
        if (const auto* stopped = std::get_if<monitor::WatchdogStopped>(&diagnosis.evidence))
            return stopped;
    }
    return nullptr;
}

}  // namespace

DemoGuide::DemoGuide(QWidget* parent)
    : QWidget(parent),
      m_message(new InlineMessage(this)),
      m_show(new QPushButton(m_message)),
      m_dismiss(new QPushButton(m_message)) {
    m_message->setObjectName(QStringLiteral("demoGuide"));
    m_show->setObjectName(QStringLiteral("demoGuideShow"));
    m_dismiss->setObjectName(QStringLiteral("demoGuideDismiss"));
    m_message->addButton(m_show);
    m_message->addButton(m_dismiss);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT lockChosen(lab::demo::lockOfTheDyingWorker()); });
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        m_isDismissed = true;
        showScene();
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    keepTranslated(*this, [this] { retranslate(); });
}

void DemoGuide::setStatus(const ConnectionStatus& status) {
    m_isDemo = status.isDemo && status.phase == ConnectionPhase::Connected;
    if (!m_isDemo)
        m_scene = Scene::BeforeDeath;
    showScene();
}

void DemoGuide::follow(const monitor::LockRow* row) {
    const Scene before = m_scene;
    if (const monitor::WatchdogStopped* stopped = row ? stoppedWatchdog(*row) : nullptr) {
        m_scene = Scene::Dead;
        m_deadWorker = stopped->holder;
    } else if (before == Scene::Dead) {
        // A renewal that was only late shows that the worker lives.
        m_scene = row && row->lock.isHeldBy(m_deadWorker) ? Scene::BeforeDeath : Scene::AfterDeath;
    }
    if (m_scene != before)
        showScene();
}

void DemoGuide::retranslate() {
    m_show->setText(tr("&Show the lock"));
    m_dismiss->setText(tr("D&ismiss"));
    showScene();
}

void DemoGuide::showScene() {
    const bool isShown = m_isDemo && !m_isDismissed;
    m_message->setMessage({m_scene == Scene::Dead ? Tone::Warning : Tone::Info, isShown ? text() : QString()});
}

QString DemoGuide::text() const {
    const QString lock = plainName(lab::demo::lockOfTheDyingWorker());
    const QString period = durationText(lab::demo::workUntilDeath + lab::demo::restAfterDeath);
    switch (m_scene) {
        case Scene::BeforeDeath:
            return tr("Watch %1: about every %2 its worker dies. Its watchdog sets a lease of %3; Redisson's sets %4 by default.")
                .arg(lock, period, durationText(lab::demo::watchdogTimeout), durationText(redissonWatchdogTimeout));
        case Scene::Dead:
            return tr("Watch %1: its renewal has not come, most likely because its worker has just died.").arg(lock);
        case Scene::AfterDeath:
            return tr("The dead worker's hold of %1 has ended: the next one can take the lock. About every %2 one dies.")
                .arg(lock, period);
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_demoguide.cpp"
