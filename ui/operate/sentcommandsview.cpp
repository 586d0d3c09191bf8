// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/sentcommandsview.h"

#include "control/plannedcommands.h"
#include "ui/base/retranslating.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int leastLines = 2;  // on a screen that has no room for more; then they scroll

}  // namespace

SentCommandsView::SentCommandsView(QWidget* parent)
    : QWidget(parent), m_show(new QToolButton(this)), m_commands(new QPlainTextEdit(this)) {
    m_show->setObjectName(QStringLiteral("forceShowCommands"));
    m_show->setCheckable(true);
    m_show->setAutoRaise(true);
    m_show->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_commands->setObjectName(QStringLiteral("forceCommands"));
    m_commands->setReadOnly(true);
    m_commands->setTabChangesFocus(true);
    m_commands->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_commands->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_commands->setMinimumHeight(fontMetrics().height() * leastLines);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_show);
    layout->addWidget(m_commands, 1);
    connect(m_show, &QToolButton::toggled, this, &SentCommandsView::fold);
    keepTranslated(*this, [this] { retranslate(); });
    showFold();
}

bool SentCommandsView::isUnfolded() const {
    return m_show->isChecked();
}

void SentCommandsView::setCommands(const QString& commands) {
    if (commands != m_commands->toPlainText())
        m_commands->setPlainText(commands);
}

QList<QWidget*> SentCommandsView::tabOrder() const {
    return {m_show, m_commands};
}

void SentCommandsView::fold() {
    showFold();
    Q_EMIT foldChanged();
}

void SentCommandsView::showFold() {
    m_show->setArrowType(isUnfolded() ? Qt::DownArrow : Qt::RightArrow);
    m_commands->setVisible(isUnfolded());
    // The size hint must be that of the new state at once.
    layout()->activate();
    updateGeometry();
}

void SentCommandsView::retranslate() {
    m_show->setText(tr("What will be &sent"));
    m_commands->setAccessibleName(tr("What will be sent"));
}

namespace {

struct SentCommands {
    Q_DECLARE_TR_FUNCTIONS(SentCommands)
};

constexpr qsizetype wordsAtMost = 100;  // of KEYS, ARGV or commands each: a lock may have thousands of readers

QString quoted(const QByteArray& word) {
    if (word.isEmpty())
        return QStringLiteral("\"\"");
    return QLatin1Char('"') + LockName(word).display().replace(QLatin1Char('"'), QStringLiteral("\\\"")) +
           QLatin1Char('"');
}

void addMore(QStringList& lines, qsizetype more) {
    if (more > 0)
        lines << SentCommands::tr("  … and %Ln more", nullptr, static_cast<int>(more));
}

void addWords(QStringList& lines, const QString& caption, const QByteArrayList& words) {
    lines << caption;
    for (const QByteArray& word : words.first(std::min(words.size(), wordsAtMost)))
        lines << QStringLiteral("  ") + quoted(word);
    addMore(lines, words.size() - wordsAtMost);
}

// Empty arguments are computed by the script.
QString commandLine(const QByteArrayList& command) {
    const QString computed = command.first() == "HSET" ? SentCommands::tr("<the time at which the lease ends>")
                                                       : SentCommands::tr("<the longest lease left>");
    QString line = QStringLiteral("  ") + QString::fromLatin1(command.first());
    for (const QByteArray& word : command.sliced(1))
        line += QLatin1Char(' ') + (word.isEmpty() ? computed : quoted(word));
    return line;
}

QString branchText(control::ScriptBranch branch) {
    using enum control::ScriptBranch;
    switch (branch) {
        case OtherQueue:
            return SentCommands::tr(
                "A waiter that is subscribed but not in this queue is in one of another name. Its message goes there, too:");
        case QueueThen:
            return SentCommands::tr("The queue is read again: waiters may have come, left or died since.");
        case ReadersThen:
            return SentCommands::tr(
                "The readers are read again: if this is the last one, the lock is deleted and its waiters are woken.");
        case HeadThen:
            return SentCommands::tr(
                "If the lock is free and this waiter is the head of the queue, the next one is woken.");
        case ReleaseAtEnd:
            return SentCommands::tr(
                "At the end of its time this console releases what it took by another script, which wakes the waiters.");
        case BothMessages:
            return SentCommands::tr("While its slot moves, both messages are sent: SPUBLISH and PUBLISH.");
    }
    return {};
}

// message: what the waiters of another queue get.
void addBranches(QStringList& lines, const control::PlannedCall& call, const QString& message) {
    lines << SentCommands::tr("Depending on what the server finds then:");
    for (const control::ScriptBranch branch : call.branches) {
        lines << QStringLiteral("  ") + branchText(branch);
        if (branch == control::ScriptBranch::OtherQueue)
            lines << QStringLiteral("    ") +
                         quoted(call.arguments.first() + ':' + SentCommands::tr("<waiter>").toUtf8()) +
                         QStringLiteral(" \"%1\"").arg(message);
    }
    lines << QStringLiteral("  ") +
                 SentCommands::tr("If it does not know the script, the whole text is sent, as EVAL.");
}

// The console fills in the holder.
control::LockChange withHolder(control::LockChange change) {
    static const HolderId console(ClientId("THIS-CONSOLE"), ThreadId{2});
    if (control::isQuarantine(change.kind))
        change.newHolder = console;
    return change;
}

}  // namespace

QString sentCommandsText(const monitor::LockSnapshot& confirmed, const control::LockChange& given, WallTime now) {
    const control::LockChange change = withHolder(given);
    const std::optional<control::PlannedCall> call = control::plannedCall(confirmed, change, now);
    if (!call)
        return SentCommands::tr("Nothing: this lock cannot be compared in one step.");
    QStringList lines{QStringLiteral("EVALSHA ") + QString::fromLatin1(call->sha), call->file};
    lines << SentCommands::tr("It compares first, and changes nothing if anything differs. Then, in this order:");
    for (const QByteArrayList& command : call->commands.first(std::min(call->commands.size(), wordsAtMost)))
        lines << commandLine(command);
    addMore(lines, call->commands.size() - wordsAtMost);
    addBranches(lines, *call,
                change.kind == control::ChangeKind::SetExpiry ? QStringLiteral("1") : QStringLiteral("0"));
    addWords(lines, QStringLiteral("KEYS"), call->keys);
    addWords(lines, QStringLiteral("ARGV"), call->arguments);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui

#include "moc_sentcommandsview.cpp"
