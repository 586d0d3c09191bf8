// SPDX-License-Identifier: Apache-2.0
#include "app/tools/notifycommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "app/tools/logform.h"
#include "engine/threadedengine.h"
#include "platform/standarderror.h"
#include "ui/words/causetext.h"

#include <QCoreApplication>
#include <QRandomGenerator>

namespace lockkeeper::app {

namespace {

double anyShare() {
    return QRandomGenerator::global()->generateDouble();
}

}  // namespace

NotifyCommand::NotifyCommand(const Arguments& arguments, ReadAgain readAgain)
    : m_readAgain(std::move(readAgain)),
      m_request(arguments.notify),
      m_log({}, m_clock, [](const QByteArray& line) { (void)platform::writeToStandardError(line); }),
      m_service(serve::Service::takeManager(), m_clock),
      m_secrets(m_clock) {}

NotifyCommand::~NotifyCommand() = default;

void NotifyCommand::start() {
    Result<NotifyPlan> plan = planOf(m_request);
    if (!plan) {
        complain(ui::errorClause(plan.error()));
        return end(ExitCode::Usage);
    }
    m_plan = std::move(plan).value();
    m_log.setForm(m_plan.log);
    if (m_request.isTest)
        return sendTest();
    startWatching();
}

void NotifyCommand::startWatching() {
    m_engine = std::make_unique<ThreadedEngine>();
    const serve::Notifier::Parts parts{*m_engine, m_clock, m_log, m_service, anyShare};
    m_notifier = std::make_unique<serve::Notifier>(parts, messageWords(), m_plan.stateFolder);
    connect(m_notifier.get(), &serve::Notifier::finished, this, [this] { end(ExitCode::Done); });
    if (const Result<Done> opened = m_notifier->open(); !opened) {
        complain(ui::errorClause(opened.error()));
        return end(ExitCode::OutputFailed);
    }
    m_secrets.take(m_request.targets, [this](const QList<WatchedTarget>& targets,
                                             const TargetSecrets::NotRead& notRead) {
        logNotRead(m_log, notRead);
        apply(targets);
        m_log.write(serve::LogLevel::Info, "started",
                    {{"targets", QString::number(targets.size())}, {"rules", QString::number(m_plan.rules.size())}});
        m_service.ready();
    });
}

void NotifyCommand::apply(const QList<WatchedTarget>& targets) {
    serve::NotifierSettings settings;
    settings.rules = m_plan.rules;
    for (const WatchedTarget& target : targets)
        settings.targets.push_back({target.name, target.profile});
    m_notifier->apply(settings, m_plan.makeReceiver(m_clock));
}

void NotifyCommand::reload() {
    if (!m_notifier)
        return;
    m_service.reloading();
    const Result<Arguments> arguments = m_readAgain();
    Result<NotifyPlan> plan = arguments ? planOf(arguments->notify) : Result<NotifyPlan>(arguments.error());
    if (!plan) {
        m_log.write(serve::LogLevel::Error, "not_reloaded", {{"error", ui::errorClause(plan.error())}});
        return m_service.ready();
    }
    const QString folder = m_plan.stateFolder;
    m_request = arguments->notify;
    m_plan = std::move(plan).value();
    m_log.setForm(m_plan.log);
    if (m_plan.stateFolder != folder)
        m_log.write(serve::LogLevel::Warning, "state_folder_not_changed", {{"folder", folder}});
    m_secrets.take(m_request.targets, [this](const QList<WatchedTarget>& targets,
                                             const TargetSecrets::NotRead& notRead) {
        logNotRead(m_log, notRead);
        apply(targets);
        m_log.write(serve::LogLevel::Info, "reloaded",
                    {{"targets", QString::number(targets.size())}, {"rules", QString::number(m_plan.rules.size())}});
        m_service.ready();
    });
}

void NotifyCommand::sendTest() {
    m_testReceiver = m_plan.makeReceiver(m_clock);
    const serve::Message message = serve::testMessage(
        m_clock.wallNow(), CommandLine::tr("Lockkeeper: this is a test message. Nothing has happened."));
    m_testReceiver->deliver(message, 1, [this](const serve::DeliveryEnd& result) {
        if (result.kind == serve::DeliveryEnd::Kind::Taken)
            return end(ExitCode::Done);
        complain(
            CommandLine::tr("the test message was not taken: %1").arg(ui::errorClause(result.error.value_or(Error()))));
        end(ExitCode::OutputFailed);
    });
}

void NotifyCommand::stop() {
    m_secrets.stop();
    if (m_notifier)
        m_notifier->stop();
    else
        end(ExitCode::Done);
}

void NotifyCommand::end(ExitCode code) {
    Q_EMIT finished(codeOf(code));
}

}  // namespace lockkeeper::app

#include "moc_notifycommand.cpp"
