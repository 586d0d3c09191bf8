// SPDX-License-Identifier: Apache-2.0
#include "ui/events/lookup/lookupdialog.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/events/lookup/findingsview.h"
#include "ui/events/lookup/lookupinput.h"
#include "ui/locks/details/diagnosiscards.h"
#include "ui/words/explaintext.h"
#include "ui/words/identitytext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstLookupSize(980, 680);
constexpr int foundLockRole = Qt::UserRole;
constexpr int textLines = 4;
constexpr int diagnosesHeight = 230;  // at most
constexpr int diagnosesHeightBesideErrors = 130;

enum LookupColumn { Lock, Thread, From, To, How, Renewals };

QString orBeforeText(const QString& time) {
    return LookupDialog::tr("%1 or before").arg(time);
}

QLabel* wrappedLabel(const QString& objectName, QWidget* parent) {
    QLabel* label = plainLabel(parent);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

LookupDialog::LookupDialog(const ViewTime& time, QWidget* parent)
    : FittedDialog(parent),
      m_time(time),
      m_text(new LookupInput(this)),
      m_file(new QPushButton(this)),
      m_findings(new FindingsView(time, this)),
      m_foundText(wrappedLabel(QStringLiteral("lookupFound"), this)),
      m_choice(new QComboBox(this)),
      m_again(new QPushButton(this)),
      m_identity(wrappedLabel(QStringLiteral("lookupIdentity"), this)),
      m_headline(wrappedLabel(QStringLiteral("lookupHeadline"), this)),
      m_diagnoses(new QScrollArea(this)),
      m_holds(new QTreeWidget(this)),
      m_limits(wrappedLabel(QStringLiteral("lookupLimits"), this)) {
    makeText();
    makeResult();
    makeLayout();
    resize(firstLookupSize);
    keepTranslated(*this, [this] { retranslate(); });
    readText();
}

void LookupDialog::retranslate() {
    setWindowTitle(tr("Look up an error or a holder"));
    m_text->setAccessibleName(tr("Text of an error, a log line, or the id of a holder"));
    m_text->setPlaceholderText(
        tr("Paste the text of an exception or a log line here, for example:\n"
           "attempt to unlock lock, not locked by current thread by node id: 8f14e45f-… thread-id: 33\n"
           "or UUID:THREAD, a client's UUID, or a lock's channel"));
    m_choice->setAccessibleName(tr("Which of the clients and locks that the text names"));
    m_again->setText(tr("Look up &again"));
    m_file->setText(tr("Open a &file…"));
    m_findings->retranslate();
    m_diagnoses->setAccessibleName(tr("What may explain the error"));
    m_holds->setAccessibleName(tr("Locks that were held, and how that ended"));
    m_holds->setHeaderLabels({tr("Lock"), tr("Thread"), tr("From"), tr("To"), tr("How it ended"), tr("Renewals")});
    fitColumns();
    fillChoice();
    showFound();
    showResult();
}

// Makes the columns wide enough for their usual texts, and at least for their titles; How gets the rest.
void LookupDialog::fitColumns() {
    constexpr int cellPadding = 24;
    const QString date = QStringLiteral("2026-12-31 23:59:59");
    const std::initializer_list<std::pair<LookupColumn, QString>> texts = {
        {Lock, QStringLiteral("orders:{customer-12345}:payment")},
        {Thread, QStringLiteral("999999")},
        {From, orBeforeText(date)},
        {To, date},
        {Renewals, QStringLiteral("999,999")}};
    for (const auto& [column, text] : texts) {
        const int title = m_holds->fontMetrics().horizontalAdvance(m_holds->headerItem()->text(column));
        const int width = std::max(title, m_holds->fontMetrics().horizontalAdvance(text));
        m_holds->setColumnWidth(column, width + cellPadding);
    }
}

void LookupDialog::makeText() {
    m_text->setObjectName(QStringLiteral("lookupText"));
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(m_text->fontMetrics().lineSpacing() * textLines + 14);
    m_choice->setObjectName(QStringLiteral("lookupChoice"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_again->setObjectName(QStringLiteral("lookupAgain"));
    m_again->setAutoDefault(false);
    m_file->setObjectName(QStringLiteral("lookupFile"));
    m_file->setAutoDefault(false);
    m_findings->setObjectName(QStringLiteral("lookupFindingsView"));
    connect(m_text, &QPlainTextEdit::textChanged, this, &LookupDialog::readText);
    connect(m_text, &LookupInput::largeTextPasted, this, &LookupDialog::takeLargeText);
    connect(m_file, &QPushButton::clicked, this, &LookupDialog::chooseFile);
    connect(m_findings, &FindingsView::findingChosen, this, &LookupDialog::askOfFinding);
    connect(m_findings, &FindingsView::lockChosen, this, &LookupDialog::lockChosen);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &LookupDialog::ask);
    connect(m_again, &QPushButton::clicked, this, &LookupDialog::ask);
}

void LookupDialog::makeResult() {
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_diagnoses->setObjectName(QStringLiteral("lookupDiagnoses"));
    m_diagnoses->setFrameShape(QFrame::NoFrame);
    m_diagnoses->setWidgetResizable(true);
    m_holds->setObjectName(QStringLiteral("lookupHolds"));
    m_holds->setColumnCount(Renewals + 1);
    m_holds->setTextElideMode(Qt::ElideMiddle);
    m_holds->header()->setStretchLastSection(false);
    m_holds->header()->setSectionResizeMode(How, QHeaderView::Stretch);
    m_limits->setForegroundRole(QPalette::PlaceholderText);
    connect(m_holds, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (item->data(Lock, foundLockRole).isValid())
            Q_EMIT lockChosen(item->data(Lock, foundLockRole).value<LockName>());
    });
}

void LookupDialog::makeLayout() {
    auto* found = new QHBoxLayout;
    found->addWidget(m_foundText, 1);
    found->addWidget(m_choice, 1);
    found->addWidget(m_again);
    found->addWidget(m_file);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &LookupDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addWidget(m_text);
    layout->addLayout(found);
    layout->addWidget(m_findings, 1);
    layout->addWidget(m_identity);
    layout->addWidget(m_headline);
    layout->addWidget(m_diagnoses);
    layout->addWidget(m_holds, 1);
    layout->addWidget(m_limits);
    layout->addWidget(buttons);
    m_text->setFocus();
}

void LookupDialog::setText(const QString& text) {
    if (text.size() > LookupInput::longestInserted)
        return takeLargeText(text);
    m_text->setPlainText(text);
}

void LookupDialog::setKnowledge(const HolderKnowledge& knowledge) {
    const bool isRenamed = knowledge.aliases != m_knowledge.aliases;
    m_knowledge = knowledge;
    if (isRenamed)
        m_findings->setAliases(knowledge.aliases);
    fillChoice();
    showFound();
    if (!m_report || !isRenamed)
        return;
    showDiagnoses(*m_report);
    showHolds(*m_report);
}

void LookupDialog::setServer(Server server) {
    if (server == m_server)
        return;
    m_server = server;
    ask();
}

void LookupDialog::readText() {
    const QString text = m_text->toPlainText();
    m_source.clear();
    m_found = monitor::readLookupText(text);
    m_findings->setReport({}, {});
    fillChoice();
    clearReport();
    ask();
    if (!text.trimmed().isEmpty())
        Q_EMIT textEntered(text);
}

void LookupDialog::takeLargeText(const QString& text) {
    m_text->clear();
    m_source = tr("A text of %Ln characters, too large to be shown, is searched.", nullptr,
                  static_cast<int>(std::min<qsizetype>(text.size(), std::numeric_limits<int>::max())));
    showFound();
    Q_EMIT textEntered(text);
}

void LookupDialog::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Open a log or a stack trace"));
    dialog->setObjectName(QStringLiteral("lookupFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_text->clear();
        m_source = tr("Searched: %1.").arg(QFileInfo(path).fileName());
        showFound();
        Q_EMIT fileChosen(path);
    });
    dialog->open();
}

void LookupDialog::showErrors(const monitor::ErrorReport& report, const QString& zone) {
    m_findings->setReport(report, zone);
    fitDiagnoses();
    if (!m_source.isEmpty() && report.findings.empty())
        m_source = reportLines(report).join(u' ');
    if (m_found.subjects.isEmpty())
        askOfFinding();
    else
        showFound();
}

void LookupDialog::showUnreadable(const QString& why) {
    m_source = why;
    m_findings->setReport({}, {});
    m_asked.reset();
    clearReport();
    showFound();
}

// What the explained error is about.
void LookupDialog::askOfFinding() {
    const monitor::ErrorFinding* finding = m_findings->chosen();
    const std::optional<monitor::LookupSubject> subject = finding ? monitor::subjectOf(*finding) : std::nullopt;
    clearReport();
    lookUp(subject);
}

void LookupDialog::fillChoice() {
    const QSignalBlocker quiet(m_choice);
    const int chosen = std::max(0, m_choice->currentIndex());
    m_choice->clear();
    for (const monitor::LookupSubject& subject : m_found.subjects)
        m_choice->addItem(subjectText(subject, m_knowledge.aliases, m_time.wallNow()));
    m_choice->setCurrentIndex(std::min(chosen, m_choice->count() - 1));
}

void LookupDialog::ask() {
    if (m_choice->currentIndex() >= 0)
        lookUp(m_found.subjects.at(m_choice->currentIndex()));
    else
        askOfFinding();
}

void LookupDialog::lookUp(const std::optional<monitor::LookupSubject>& subject) {
    m_asked = m_server == Server::Known ? subject : std::nullopt;
    showFound();
    if (m_asked)
        Q_EMIT subjectWanted(*m_asked);
}

void LookupDialog::showFound() {
    const qsizetype count = m_found.subjects.size();
    m_choice->setVisible(count > 1);
    m_again->setEnabled((count > 0 || m_asked) && m_server == Server::Known);
    const bool isOfFinding = m_asked && !m_found.subjects.contains(*m_asked);
    if (!m_source.isEmpty() && !isOfFinding)
        m_foundText->setText(m_source);
    else if (isOfFinding)
        m_foundText->setText(subjectText(*m_asked, m_knowledge.aliases, m_time.wallNow()));
    else if (m_text->toPlainText().trimmed().isEmpty())
        m_foundText->setText(tr("Nothing is sent anywhere: the text is read on this computer."));
    else if (count == 0 && !m_findings->isEmpty())
        m_foundText->setText(tr("The text names no lock and no holder."));
    else if (count == 0)
        m_foundText->setText(tr("No client's id, holder or lock channel was found in this text."));
    else if (m_server == Server::Missing)
        m_foundText->setText(tr("Connect to a server first: what is known is kept for each server."));
    else if (count == 1)
        m_foundText->setText(subjectText(m_found.subjects.first(), m_knowledge.aliases, m_time.wallNow()));
    else
        m_foundText->setText(
            tr("The text names %Ln clients or locks. This one is looked up:", nullptr, static_cast<int>(count)));
    m_identity->setText(identity());
    m_identity->setVisible(!m_identity->text().isEmpty());
}

// The host of the client, if that was found out before.
QString LookupDialog::identity() const {
    const std::optional<ClientId> client = m_asked ? m_asked->client() : std::nullopt;
    if (!client || !m_knowledge.identities.contains(*client))
        return {};
    const QString known = identityText(m_knowledge.identities.value(*client), m_time.wallNow());
    return tr("Which host it is: %1").arg(QString(known).replace(u'\n', QStringLiteral("; ")));
}

void LookupDialog::clearReport() {
    m_report.reset();
    m_headline->clear();
    m_headline->hide();
    m_diagnoses->hide();
    m_limits->clear();
    m_holds->clear();
}

void LookupDialog::showReport(const monitor::LookupReport& report, const LookupLimits& limits) {
    if (m_asked != report.subject)
        return;
    m_report = report;
    m_reportLimits = limits;
    m_reportLimits.textCut = m_found.cut;
    showResult();
}

void LookupDialog::showResult() {
    if (!m_report)
        return;
    m_headline->setText(lookupHeadline(*m_report, m_reportLimits));
    m_headline->show();
    m_limits->setText(lookupLimitsText(*m_report, m_reportLimits));
    showDiagnoses(*m_report);
    showHolds(*m_report);
}

void LookupDialog::showDiagnoses(const monitor::LookupReport& report) {
    auto* all = new QWidget(m_diagnoses);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins(0, 0, 0, 0);
    for (const monitor::LookupDiagnosis& found : report.diagnoses) {
        layout->addWidget(plainLabel(tr("About %1:").arg(plainName(found.lock, shortName)), all));
        auto* cards = new DiagnosisCards(all);
        cards->setDiagnoses({found.diagnosis}, nullptr, report.now, m_knowledge.aliases);
        layout->addWidget(cards);
    }
    layout->addStretch(1);
    m_diagnoses->setWidget(all);
    all->installEventFilter(this);
    m_diagnoses->setVisible(!report.diagnoses.isEmpty());
    fitDiagnoses();
}

// The diagnoses are as high as they need, but leave room for the list of holds. The height of their texts is known
// only once their width is final.
void LookupDialog::fitDiagnoses() {
    if (const QWidget* all = m_diagnoses->widget())
        m_diagnoses->setFixedHeight(
            std::min(all->sizeHint().height(), m_findings->isEmpty() ? diagnosesHeight : diagnosesHeightBesideErrors));
}

bool LookupDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_diagnoses->widget() && event->type() == QEvent::LayoutRequest)
        fitDiagnoses();
    return FittedDialog::eventFilter(watched, event);
}

void LookupDialog::showHolds(const monitor::LookupReport& report) {
    m_holds->clear();
    std::vector<monitor::PastHold> open;
    std::vector<monitor::PastHold> ended;
    std::ranges::partition_copy(report.holds, std::back_inserter(open), std::back_inserter(ended),
                                &monitor::PastHold::isOpen);
    const bool areSomeOld = std::ranges::any_of(
        open, [this](const monitor::PastHold& hold) { return m_reportLimits.oldLocks.contains(hold.lock); });
    addGroup(!m_time.isLive() ? tr("Held when last seen: %1")
             : areSomeOld     ? tr("Held now, or when last seen: %1")
                              : tr("Held now: %1"),
             open);
    addGroup(report.subject.at ? tr("Held by other threads of the same client, now or when it failed: %1")
                               : tr("Held now by other threads of the same client: %1"),
             report.ofOthers);
    addGroup(tr("Held before: %1"), ended);
    m_holds->expandAll();
}

void LookupDialog::addGroup(const QString& title, const std::vector<monitor::PastHold>& holds) {
    if (holds.empty())
        return;
    auto* group = new QTreeWidgetItem(m_holds, {title.arg(numberText(static_cast<qint64>(holds.size())))});
    group->setFirstColumnSpanned(true);
    for (const monitor::PastHold& hold : holds)
        addHold(*group, hold);
}

QString LookupDialog::endText(const monitor::PastHold& hold) const {
    const auto old = m_reportLimits.oldLocks.constFind(hold.lock);
    if (hold.isOpen() && !m_time.isLive())
        return tr("held when last seen");
    if (hold.isOpen() && old != m_reportLimits.oldLocks.cend())
        return tr("held when last seen, at %1; its node cannot be reached").arg(clockText(*old, m_time.wallNow()));
    return holdEndText(hold.end);
}

void LookupDialog::addHold(QTreeWidgetItem& group, const monitor::PastHold& hold) {
    const WallTime now = m_time.wallNow();
    auto* item = new QTreeWidgetItem(&group);
    const QString name = plainName(hold.lock);
    item->setText(Lock, name);
    item->setToolTip(Lock, helpTip(name));
    item->setData(Lock, foundLockRole, QVariant::fromValue(hold.lock));
    item->setText(Thread, QString::number(static_cast<qint64>(hold.holder.id.thread())));
    item->setToolTip(Thread, helpTip(m_knowledge.aliases.fullDisplay(hold.holder.id)));
    const QString from = clockText(hold.from, now);
    item->setText(From, hold.begin == monitor::HoldBegin::Seen ? from : orBeforeText(from));
    item->setText(To, hold.isOpen() ? QString() : clockText(hold.to, now));
    item->setText(How, endText(hold));
    item->setToolTip(How, helpTip(item->text(How)));
    if (hold.renewals > 0)
        item->setText(Renewals, numberText(static_cast<qint64>(hold.renewals)));
}

}  // namespace lockkeeper::ui

#include "moc_lookupdialog.cpp"
