// SPDX-License-Identifier: Apache-2.0
#include "ui/events/threads/threaddumpdialog.h"

#include "base/safetext.h"
#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/words/locktext.h"
#include "ui/words/threadtext.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstDumpSize(980, 620);
constexpr int lockRole = Qt::UserRole;
constexpr size_t mostThreadsShown = 1000;
constexpr qsizetype mostFramesShown = 60;

enum ThreadColumn { LockColumn, HolderColumn, TextColumn };

QString pathIn(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 ? urls.first().toLocalFile() : QString();
}

}  // namespace

ThreadDumpDialog::ThreadDumpDialog(QWidget* parent)
    : FittedDialog(parent),
      m_file(new QPushButton(this)),
      m_paste(new QPushButton(this)),
      m_state(plainLabel(this)),
      m_clientTitle(plainLabel(this)),
      m_client(new QComboBox(this)),
      m_threads(new QTreeWidget(this)),
      m_limits(plainLabel(this)),
      m_toLock(new QPushButton(this)) {
    makeParts();
    makeLayout();
    resize(firstDumpSize);
    keepTranslated(*this, [this] { retranslate(); });
}

void ThreadDumpDialog::makeParts() {
    setAcceptDrops(true);
    m_file->setObjectName(QStringLiteral("threadDumpFile"));
    m_paste->setObjectName(QStringLiteral("threadDumpPaste"));
    m_paste->setAutoDefault(false);
    m_state->setObjectName(QStringLiteral("threadDumpState"));
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_client->setObjectName(QStringLiteral("threadDumpClient"));
    m_client->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_clientTitle->setBuddy(m_client);
    m_threads->setObjectName(QStringLiteral("threadDumpThreads"));
    m_threads->setUniformRowHeights(true);
    m_threads->setTextElideMode(Qt::ElideMiddle);
    m_limits->setObjectName(QStringLiteral("threadDumpLimits"));
    m_limits->setWordWrap(true);
    m_toLock->setObjectName(QStringLiteral("threadDumpToLock"));
    m_toLock->setAutoDefault(false);
    connect(m_file, &QPushButton::clicked, this, &ThreadDumpDialog::chooseFile);
    connect(m_paste, &QPushButton::clicked, this, &ThreadDumpDialog::paste);
    connect(m_client, &QComboBox::activated, this, [this](int index) {
        m_chosen = m_client->itemData(index).toByteArray();
        Q_EMIT clientChosen(m_chosen.isEmpty() ? std::nullopt : std::optional(ClientId(m_chosen)));
    });
    connect(m_threads, &QTreeWidget::itemActivated, this, &ThreadDumpDialog::chooseLock);
    connect(m_threads, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* item) { m_toLock->setEnabled(item != nullptr); });
    connect(m_toLock, &QPushButton::clicked, this, &ThreadDumpDialog::chooseLock);
}

void ThreadDumpDialog::makeLayout() {
    auto* sources = new QHBoxLayout;
    sources->addWidget(m_file);
    sources->addWidget(m_paste);
    sources->addStretch(1);
    auto* whose = new QHBoxLayout;
    whose->addWidget(m_clientTitle);
    whose->addWidget(m_client, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_toLock, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(sources);
    layout->addWidget(m_state);
    layout->addLayout(whose);
    layout->addWidget(m_threads, 1);
    layout->addWidget(m_limits);
    layout->addWidget(buttons);
}

void ThreadDumpDialog::retranslate() {
    setWindowTitle(tr("Read a thread dump"));
    m_file->setText(tr("&Open a file…"));
    m_paste->setText(tr("&Paste"));
    m_paste->setToolTip(helpTip(tr("Reads the text of the clipboard")));
    m_clientTitle->setText(tr("Dump of the &client:"));
    m_client->setAccessibleName(tr("Client that the dump is of"));
    m_threads->setAccessibleName(tr("Holders and waiters, and what their threads do"));
    m_threads->setHeaderLabels({tr("Lock"), tr("Holder or waiter"), tr("Its thread")});
    m_toLock->setText(tr("Show the &lock"));
    showResult();
}

void ThreadDumpDialog::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    showResult();
}

void ThreadDumpDialog::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a thread dump"));
    if (path.isEmpty())
        return;
    begin(Source::File, QFileInfo(path).fileName());
    Q_EMIT fileChosen(path);
}

void ThreadDumpDialog::paste() {
    begin(Source::Clipboard);
    Q_EMIT textPasted(QGuiApplication::clipboard()->text().toUtf8());
}

void ThreadDumpDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!pathIn(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ThreadDumpDialog::dropEvent(QDropEvent* event) {
    const QString path = pathIn(*event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    begin(Source::File, QFileInfo(path).fileName());
    Q_EMIT fileChosen(path);
}

// What was shown before is of another dump.
void ThreadDumpDialog::begin(Source source, const QString& name) {
    m_source = source;
    m_fileName = name;
    m_chosen.clear();
    m_dumps.reset();
    m_reading = {};
    m_unreadable.clear();
    m_isReading = true;
    showResult();
}

void ThreadDumpDialog::beginTaken(const ClientId& client) {
    begin(Source::Jvm);
    m_chosen = client.bytes();
}

QString ThreadDumpDialog::sourceText() const {
    switch (m_source) {
        case Source::File:
            return bounded(safeText(m_fileName));
        case Source::Clipboard:
            return tr("Clipboard");
        case Source::Jvm:
            return tr("Taken from the JVM");
    }
    return {};
}

void ThreadDumpDialog::showReading(const Dumps& dumps, const jvm::DumpReading& reading) {
    m_dumps = dumps;
    m_reading = reading;
    m_isReading = false;
    showResult();
}

void ThreadDumpDialog::showUnreadable(const QString& reason) {
    m_unreadable = reason;
    m_isReading = false;
    showResult();
}

void ThreadDumpDialog::showResult() {
    const QString source = sourceText();
    QStringList lines;
    if (m_isReading) {
        lines << tr("%1 is being read…").arg(source);
    } else if (!m_unreadable.isEmpty()) {
        lines << tr("%1: %2").arg(source, m_unreadable);
    } else if (!m_dumps) {
        lines << tr(
            "Open or drop a thread dump of the JVM whose locks you ask about, as jcmd PID Thread.print -l or jstack write it. "
            "Nothing of it is written or sent anywhere.");
    } else {
        lines << tr("%1: %2").arg(source, dumpText(m_dumps->at(m_reading.bestDump().value_or(m_dumps->size() - 1))));
        if (m_reading.jvms > 1)
            lines << severalJvmsText(m_reading);
        for (const jvm::DumpMatch& match : m_reading.matches)
            if ((match.fit != jvm::Fit::Contradicts || match.client.bytes() == m_chosen) && lines.size() < 4)
                lines << matchText(match, m_aliases);
        if (m_reading.holders.empty())
            lines << tr("It is of none of the clients that hold locks here, or wait in a queue.");
    }
    m_state->setText(lines.join(u'\n'));
    fillClients();
    fillThreads();
}

void ThreadDumpDialog::fillClients() {
    const QSignalBlocker quiet(m_client);
    m_client->clear();
    m_client->addItem(tr("As the numbers of its threads say"), QByteArray());
    for (const jvm::DumpMatch& match : m_reading.matches)
        m_client->addItem(m_aliases.fullDisplay(match.client), match.client.bytes());
    m_client->setCurrentIndex(std::max(0, m_client->findData(m_chosen)));
    const bool canChoose = m_dumps && !m_reading.matches.empty();
    m_client->setEnabled(canChoose);
    m_clientTitle->setEnabled(canChoose);
}

void ThreadDumpDialog::fillThreads() {
    m_threads->clear();
    size_t shown = 0;
    for (const jvm::HolderThread& thread : m_reading.holders) {
        if (shown++ == mostThreadsShown)
            break;
        const QString text = threadText(thread);
        auto* item = new QTreeWidgetItem(m_threads, {plainName(thread.lock), m_aliases.display(thread.holder), text});
        item->setData(LockColumn, lockRole, QVariant::fromValue(thread.lock));
        item->setToolTip(TextColumn, helpTip(text));
        for (const jvm::Frame& frame : thread.frames) {
            if (item->childCount() == mostFramesShown)
                break;
            auto* line = new QTreeWidgetItem(item, {QString(), QString(), frameText(frame)});
            QFont font = line->font(TextColumn);
            font.setBold(thread.activity.code == frame);
            line->setFont(TextColumn, font);
        }
    }
    for (const int column : {LockColumn, HolderColumn}) {
        constexpr int widest = 260;
        m_threads->resizeColumnToContents(column);
        m_threads->setColumnWidth(column, std::min(widest, m_threads->columnWidth(column)));
    }
    m_toLock->setEnabled(false);
    const bool isCut = m_reading.holders.size() > mostThreadsShown;
    m_limits->setVisible(isCut);
    m_limits->setText(tr("The first %Ln threads are shown.", nullptr, static_cast<int>(mostThreadsShown)));
}

void ThreadDumpDialog::chooseLock() {
    const QTreeWidgetItem* item = m_threads->currentItem();
    if (!item)
        return;
    const QTreeWidgetItem* top = item->parent() ? item->parent() : item;
    Q_EMIT lockChosen(top->data(LockColumn, lockRole).value<LockName>());
}

}  // namespace lockkeeper::ui

#include "moc_threaddumpdialog.cpp"
