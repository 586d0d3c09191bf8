// SPDX-License-Identifier: Apache-2.0
#include "ui/events/threads/fetchdumpdialog.h"

#include "base/safetext.h"
#include "jvm/fetch/fetchcause.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/words/causetext.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace lockkeeper::ui {

using profile::DumpWay;

namespace {

constexpr int usualWidth = 36;  // heights of a line
constexpr int planLines = 4;

}  // namespace

FetchDumpDialog::FetchDumpDialog(FetchSubject subject, QWidget* parent)
    : FittedDialog(parent),
      m_subject(std::move(subject)),
      m_what(plainLabel(this)),
      m_placeCaption(plainLabel(this)),
      m_place(new QLineEdit(m_subject.place, this)),
      m_planCaption(plainLabel(this)),
      m_planText(new QPlainTextEdit(this)),
      m_processCaption(plainLabel(this)),
      m_process(new QComboBox(this)),
      m_confirm(new QCheckBox(this)),
      m_twice(new QCheckBox(this)),
      m_message(new InlineMessage(this)),
      m_run(new QPushButton(this)),
      m_copy(new QPushButton(this)),
      m_file(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    makeParts();
    makeLayout();
    keepTranslated(*this, [this] { retranslate(); });
}

void FetchDumpDialog::makeParts() {
    m_what->setObjectName(QStringLiteral("fetchDumpWhat"));
    m_what->setWordWrap(true);
    m_place->setObjectName(QStringLiteral("fetchDumpPlace"));
    m_planText->setObjectName(QStringLiteral("fetchDumpPlan"));
    m_planText->setReadOnly(true);
    m_planText->setTabChangesFocus(true);
    m_planText->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_planText->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_process->setObjectName(QStringLiteral("fetchDumpProcess"));
    m_confirm->setObjectName(QStringLiteral("fetchDumpConfirm"));
    m_twice->setObjectName(QStringLiteral("fetchDumpTwice"));
    m_message->setObjectName(QStringLiteral("fetchDumpMessage"));
    m_run->setObjectName(QStringLiteral("fetchDumpRun"));
    m_copy->setObjectName(QStringLiteral("fetchDumpCopy"));
    m_file->setObjectName(QStringLiteral("fetchDumpFile"));
    m_cancel->setObjectName(QStringLiteral("fetchDumpCancel"));
    for (QPushButton* button : {m_run, m_copy, m_file})
        button->setAutoDefault(false);
    m_cancel->setDefault(true);
    guard(*m_run);
    connect(m_place, &QLineEdit::textEdited, this, [this] {
        m_processes.clear();
        m_failure.reset();
        m_confirm->setChecked(false);  // it was for another host
        showPlan();
    });
    connect(m_process, &QComboBox::currentIndexChanged, this, [this] {
        m_failure.reset();
        showPlan();
    });
    connect(m_confirm, &QCheckBox::toggled, this, &FetchDumpDialog::showPlan);
    connect(m_run, &QPushButton::clicked, this, &FetchDumpDialog::run);
    connect(m_copy, &QPushButton::clicked, this, &FetchDumpDialog::copy);
    connect(m_file, &QPushButton::clicked, this, &FetchDumpDialog::fileWanted);
    connect(m_cancel, &QPushButton::clicked, this, &FetchDumpDialog::reject);
}

void FetchDumpDialog::makeLayout() {
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(m_placeCaption, m_place);
    form->addRow(m_processCaption, m_process);
    m_placeCaption->setBuddy(m_place);
    m_processCaption->setBuddy(m_process);
    m_planCaption->setBuddy(m_planText);
    auto* content = new QVBoxLayout;
    content->addWidget(m_what);
    content->addLayout(form);
    content->addWidget(m_planCaption);
    content->addWidget(m_planText);
    content->addWidget(m_confirm);
    content->addWidget(m_twice);
    content->addStretch(1);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_file, QDialogButtonBox::ActionRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_run, QDialogButtonBox::ApplyRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    setContent(content, {m_message, buttons});
    setUsualWidth(usualWidth);
}

void FetchDumpDialog::retranslate() {
    setWindowTitle(tr("Get a thread dump"));
    m_placeCaption->setText(tr("&Address of the client:"));
    m_place->setPlaceholderText(QStringLiteral("10.0.0.7:53422"));
    m_place->setAccessibleName(tr("Address and port of the client, as the server sees them"));
    m_planCaption->setText(tr("This runs, &exactly:"));
    m_planText->setAccessibleName(tr("What runs"));
    m_processCaption->setText(tr("&Process:"));
    m_process->setAccessibleName(tr("Process that has the client's connection"));
    m_twice->setText(tr("&Twice, ten seconds apart: shows which threads have not moved"));
    m_copy->setText(tr("C&opy the command"));
    m_file->setText(tr("Read a &file…"));
    m_planText->setFixedHeight(m_planText->fontMetrics().lineSpacing() * planLines + 2 * m_planText->frameWidth() +
                               static_cast<int>(m_planText->document()->documentMargin() * 2));
    showPlan();
}

// ---- what runs ----

bool FetchDumpDialog::needsPlace() const {
    const profile::DumpSettings& settings = m_subject.settings;
    if (m_subject.server == FetchSubject::Server::Demo)
        return false;
    return settings.way == DumpWay::Ssh ||
           (settings.way == DumpWay::Actuator && settings.url.contains(profile::hostPlaceholder));
}

FetchDumpDialog::Plan FetchDumpDialog::plan() const {
    const profile::DumpSettings& settings = m_subject.settings;
    const jvm::DumpCount count = m_twice->isChecked() ? jvm::DumpCount::Twice : jvm::DumpCount::Once;
    const std::optional<jvm::ClientPlace> place = jvm::ClientPlace::parse(m_place->text().trimmed());
    if (m_subject.server == FetchSubject::Server::Demo)
        return jvm::DumpOrder{jvm::DemoDump{m_subject.client}, count};
    if (settings.way == DumpWay::Ssh)
        return sshPlan(place);
    if (settings.way == DumpWay::Kubectl) {
        const Result<jvm::PodDump> pod = jvm::podDumpOf(settings);
        return pod ? Plan(jvm::DumpOrder{*pod, count}) : Plan(pod.error());
    }
    Result<jvm::WebDump> web = jvm::webDumpOf(settings, place);
    if (!web)
        return web.error();
    web.value().isHostConfirmed = m_confirm->isChecked();
    return jvm::DumpOrder{*web, count};
}

FetchDumpDialog::Plan FetchDumpDialog::sshPlan(const std::optional<jvm::ClientPlace>& place) const {
    const Result<jvm::ProcessSearch> search = jvm::processSearchOf(m_subject.settings, place);
    if (!search)
        return search.error();
    if (m_processes.isEmpty())
        return *search;
    const Result<jvm::SshDump> dump =
        jvm::sshDumpOf(*search, m_processes.value(std::max(0, m_process->currentIndex())));
    const jvm::DumpCount count = m_twice->isChecked() ? jvm::DumpCount::Twice : jvm::DumpCount::Once;
    return dump ? Plan(jvm::DumpOrder{*dump, count}) : Plan(dump.error());
}

bool FetchDumpDialog::needsConfirmation() const {
    const profile::DumpSettings& settings = m_subject.settings;
    if (m_subject.server == FetchSubject::Server::Demo || settings.way != DumpWay::Actuator ||
        settings.credentials.user.isEmpty())
        return false;
    const Result<jvm::WebDump> web = jvm::webDumpOf(settings, jvm::ClientPlace::parse(m_place->text().trimmed()));
    return web && !jvm::isListed(settings, web->url);
}

QStringList FetchDumpDialog::command(const Plan& plan) const {
    if (const auto* search = std::get_if<jvm::ProcessSearch>(&plan))
        return jvm::commandOf(*search);
    const auto* order = std::get_if<jvm::DumpOrder>(&plan);
    if (!order)
        return {};
    if (const auto* ssh = std::get_if<jvm::SshDump>(&order->way))
        return jvm::commandOf(*ssh);
    if (const auto* pod = std::get_if<jvm::PodDump>(&order->way))
        return jvm::commandOf(*pod);
    if (const auto* web = std::get_if<jvm::WebDump>(&order->way))
        return jvm::commandOf(*web, QString::fromUtf8(m_subject.settings.credentials.user));
    return {};
}

QString FetchDumpDialog::planText(const Plan& plan) const {
    const auto* order = std::get_if<jvm::DumpOrder>(&plan);
    const auto* web = order ? std::get_if<jvm::WebDump>(&order->way) : nullptr;
    if (!web)
        return jvm::shellLine(command(plan));
    const QByteArray& user = m_subject.settings.credentials.user;
    const QString request = QLatin1String("GET ") + web->url.toString(QUrl::FullyEncoded);
    return user.isEmpty()
               ? request
               : request + u'\n' + tr("with the user %1 and the password").arg(safeText(QString::fromUtf8(user)));
}

QString FetchDumpDialog::whatText() const {
    if (m_subject.server == FetchSubject::Server::Demo)
        return tr("The dump of client %1 is a part of the demo: nothing runs. It is read beside the locks.")
            .arg(m_subject.name);
    switch (m_subject.settings.way) {
        case DumpWay::None:
            return tr("This connection has no way to the JVM of client %1. Set one where the connection is edited, or read a "
                      "file that jcmd PID Thread.print -l has written.")
                .arg(m_subject.name);
        case DumpWay::Actuator:
            return tr("Asks the Actuator of client %1. No redirect is followed, and nothing is kept on disk.")
                .arg(m_subject.name);
        case DumpWay::Ssh:
            return tr("Finds the process of client %1 on its machine by the port of its connection, shows it, and asks it by "
                      "jcmd. Nothing is installed or left there.")
                .arg(m_subject.name);
        case DumpWay::Kubectl:
            return tr("Asks the JVM in the pod of client %1 by jcmd. Nothing is installed or left there.")
                .arg(m_subject.name);
    }
    return {};
}

QString FetchDumpDialog::processText(const jvm::RemoteProcess& process) const {
    return tr("%1, number %2, of user %3")
        .arg(bounded(process.name), QString::number(process.id), QString::number(process.user));
}

void FetchDumpDialog::showPlan() {
    const bool isDemo = m_subject.server == FetchSubject::Server::Demo;
    const bool hasWay = isDemo || m_subject.settings.way != DumpWay::None;
    const Plan now = plan();
    const QStringList words = command(now);
    const bool asks = needsConfirmation();
    const auto* wrong = std::get_if<Error>(&now);
    m_what->setText(whatText());
    m_planText->setPlainText(planText(now));
    for (QWidget* part : std::initializer_list<QWidget*>{m_planCaption, m_planText, m_copy})
        part->setVisible(hasWay && !isDemo);
    for (QWidget* part : std::initializer_list<QWidget*>{m_placeCaption, m_place})
        part->setVisible(needsPlace());
    for (QWidget* part : std::initializer_list<QWidget*>{m_processCaption, m_process})
        part->setVisible(!m_processes.isEmpty());
    m_twice->setVisible(hasWay);
    m_run->setVisible(hasWay);
    m_confirm->setVisible(asks);
    const Result<jvm::WebDump> web =
        jvm::webDumpOf(m_subject.settings, jvm::ClientPlace::parse(m_place->text().trimmed()));
    m_confirm->setText(
        tr("Send the &password to %1, which the connection does not list").arg(web ? web->url.host() : QString()));
    m_copy->setEnabled(!words.isEmpty());
    m_run->setText(std::holds_alternative<jvm::ProcessSearch>(now) ? tr("F&ind the process") : tr("&Get the dump"));
    m_run->setEnabled(!wrong && !m_isRunning && (!asks || m_confirm->isChecked()));
    m_cancel->setText(m_isRunning ? tr("Stop") : tr("Close"));
    if (m_isRunning)
        m_message->setMessage(
            {Tone::Info, m_isFirstTaken ? tr("The first dump is there. The second one follows after ten seconds …")
                                        : tr("Running …")});
    else if (m_failure)
        m_message->setMessage({Tone::Danger, tr("There is no thread dump: %1.").arg(reasonText(*m_failure))});
    else if (wrong && hasWay)
        m_message->setMessage({Tone::Warning, tr("This cannot run: %1.").arg(reasonText(*wrong))});
    else if (!m_processes.isEmpty())
        m_message->setMessage(
            {Tone::Info, tr("Is this the client's process? Behind NAT or in a container the port may be another's.")});
    else
        m_message->setMessage({});
}

// ---- running ----

void FetchDumpDialog::run() {
    const Plan now = plan();
    m_failure.reset();
    m_isFirstTaken = false;
    setRunning(true);
    if (const auto* search = std::get_if<jvm::ProcessSearch>(&now))
        Q_EMIT searchWanted(*search);
    else if (const auto* order = std::get_if<jvm::DumpOrder>(&now))
        Q_EMIT dumpWanted(*order);
}

void FetchDumpDialog::copy() const {
    QGuiApplication::clipboard()->setText(jvm::shellLine(command(plan())));
}

void FetchDumpDialog::setRunning(bool isRunning) {
    m_isRunning = isRunning;
    for (QWidget* part : std::initializer_list<QWidget*>{m_place, m_process, m_confirm, m_twice, m_file})
        part->setEnabled(!isRunning);
    showPlan();
}

void FetchDumpDialog::showProcesses(const QList<jvm::RemoteProcess>& processes) {
    m_processes = processes;
    {
        const QSignalBlocker quiet(m_process);
        m_process->clear();
        for (const jvm::RemoteProcess& process : processes)
            m_process->addItem(processText(process));
    }
    setRunning(false);
}

void FetchDumpDialog::showFirstTaken() {
    m_isFirstTaken = true;
    showPlan();
}

void FetchDumpDialog::showFailure(const Error& error) {
    m_failure = error.code == ErrorCode::Cancelled ? std::nullopt : std::optional(error);
    setRunning(false);
}

void FetchDumpDialog::reject() {
    if (m_isRunning)
        Q_EMIT cancelWanted();
    else
        FittedDialog::reject();
}

}  // namespace lockkeeper::ui

#include "moc_fetchdumpdialog.cpp"
