// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/retentioncontroller.h"

#include "ui/base/messagebar.h"
#include "ui/base/storedvalues.h"
#include "ui/window/settings/historypage.h"
#include "ui/window/settings/retentionform.h"
#include "ui/words/causetext.h"

#include <QSettings>

namespace lockkeeper::ui {

namespace {

const auto daysKey = QStringLiteral("history/days");
const auto rowsKey = QStringLiteral("history/rows");
constexpr qint64 hoursInDay = 24;

// Empty: there is none.
QString serverWithHistory(const ConnectionStatus& status) {
    return status.profile.isEmpty() ? QString() : status.server;
}

}  // namespace

history::Retention retentionFrom(QSettings& settings) {
    history::Retention retention;
    if (const std::optional<qint64> days = storedNumber(settings, daysKey, 0, RetentionForm::mostDays))
        retention.age = std::chrono::hours(*days * hoursInDay);
    retention.rows = storedNumber(settings, rowsKey, 0, RetentionForm::mostEvents).value_or(retention.rows);
    return retention;
}

void saveRetention(QSettings& settings, const history::Retention& retention) {
    settings.setValue(daysKey, qint64{retention.age.count()} / hoursInDay);
    settings.setValue(rowsKey, retention.rows);
}

RetentionController::RetentionController(Engine& engine, FindMessages messages, QSettings& settings, QObject* parent)
    : QObject(parent), m_engine(engine), m_messages(std::move(messages)), m_settings(settings) {
    connect(&m_engine, &Engine::historyForgotten, this, &RetentionController::reportForgotten);
}

HistoryPage* RetentionController::makePage(const ConnectionStatus& front, QWidget* parent) {
    auto* page = new HistoryPage(retentionFrom(m_settings), serverWithHistory(front), parent);
    connect(page, &HistoryPage::retentionChosen, this, &RetentionController::keep);
    connect(page, &HistoryPage::forgetWanted, this,
            [this, profile = front.profile, server = front.server] { forget(profile, server); });
    return page;
}

void RetentionController::keep(const history::Retention& retention) {
    saveRetention(m_settings, retention);
    m_engine.setRetention(retention);
}

void RetentionController::forget(const profile::ProfileId& profile, const QString& server) {
    m_forgetting.insert(static_cast<quint64>(m_engine.forgetHistory(profile)), server);
}

void RetentionController::reportForgotten(OperationId operation, const std::optional<Error>& error) {
    const auto server = m_forgetting.constFind(static_cast<quint64>(operation));
    if (server == m_forgetting.cend())
        return;
    m_messages().post([server = *server, error] {
        return error ? Message{Tone::Danger, tr("The history of %1 is not deleted, or not all of it: %2")
                                                 .arg(server, reasonText(*error))}
                     : Message{Tone::Good, tr("The history of %1 is deleted.").arg(server)};
    });
    m_forgetting.erase(server);
}

}  // namespace lockkeeper::ui

#include "moc_retentioncontroller.cpp"
