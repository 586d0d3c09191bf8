// SPDX-License-Identifier: Apache-2.0
#include "ui/window/start/startpage.h"

#include "ui/base/fontchange.h"
#include "ui/base/icons.h"
#include "ui/base/messagebar.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectiondelegate.h"
#include "ui/connections/connectionmodel.h"
#include "ui/connections/knownconnections.h"
#include "ui/window/start/learnpath.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace lockkeeper::ui {

namespace {

constexpr int welcomeWidth = 26;  // heights of a line
constexpr int margin = 24;

// Heading and text of the welcome.
QLabel* largeLabel(QWidget* parent) {
    QLabel* label = plainLabel(parent);
    keepFontScaled(*label, 1.6);
    return label;
}

}  // namespace

StartPage::StartPage(KnownConnections& known, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_known(known),
      m_clock(clock),
      m_model(new ConnectionModel(this)),
      m_headline(largeLabel(this)),
      m_welcome(plainLabel(this)),
      m_connect(new QPushButton(icon(QStringLiteral("connect")), QString(), this)),
      m_demo(new QPushButton(icon(QStringLiteral("play")), QString(), this)),
      m_lab(new QPushButton(this)),
      m_redisson(new QPushButton(this)),
      m_list(new QListView(this)),
      m_empty(emptyPanelLabel(this)),
      m_messages(new MessageBar(clock, this)) {
    setObjectName(QStringLiteral("startPage"));
    m_messages->setObjectName(QStringLiteral("startMessages"));
    makeList();
    makeActions();
    auto* column = new QVBoxLayout;
    column->addWidget(m_list, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_messages);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->setSpacing(margin);
    layout->addWidget(makeWelcome());
    layout->addLayout(column, 1);
    connect(&m_known, &KnownConnections::changed, this, &StartPage::refresh);
    connect(&m_known, &KnownConnections::phasesChanged, this, &StartPage::refresh);
    // Queued: the list must not change while something is dropped into it.
    connect(m_model, &ConnectionModel::moveWanted, &m_known, &KnownConnections::move, Qt::QueuedConnection);
    keepTranslated(*this, [this] { retranslate(); });
}

QWidget* StartPage::makeWelcome() {
    m_headline->setObjectName(QStringLiteral("startHeadline"));
    m_welcome->setObjectName(QStringLiteral("startWelcome"));
    m_welcome->setWordWrap(true);
    m_connect->setObjectName(QStringLiteral("startConnect"));
    m_demo->setObjectName(QStringLiteral("startDemo"));
    m_lab->setObjectName(QStringLiteral("startLab"));
    m_redisson->setObjectName(QStringLiteral("startRedisson"));
    connect(m_connect, &QPushButton::clicked, this, &StartPage::connectWanted);
    connect(m_demo, &QPushButton::clicked, this, &StartPage::demoWanted);
    connect(m_lab, &QPushButton::clicked, this, &StartPage::labWanted);
    connect(m_redisson, &QPushButton::clicked, this, &StartPage::redissonFileWanted);
    auto* learn = new LearnPath(this);
    connect(learn, &LearnPath::experimentWanted, this, &StartPage::experimentWanted);
    connect(learn, &LearnPath::recordingWanted, this, &StartPage::recordingWanted);
    auto* welcome = new QWidget(this);
    welcome->setFixedWidth(fontMetrics().height() * welcomeWidth);
    auto* layout = new QVBoxLayout(welcome);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_headline, m_welcome, m_connect, m_demo, m_lab, m_redisson, learn})
        layout->addWidget(widget);
    layout->addStretch(1);
    // On a low screen, or with large type, the page is higher than the window.
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(welcome);
    scroll->setWidgetResizable(true);
    scroll->setFixedWidth(welcome->width() + scroll->verticalScrollBar()->sizeHint().width());
    return scroll;
}

void StartPage::makeList() {
    m_list->setObjectName(QStringLiteral("connectionList"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ConnectionDelegate(*m_model, m_list));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_empty->setObjectName(QStringLiteral("connectionsEmpty"));
    connect(m_list, &QListView::activated, this, [this] {
        if (const profile::StoredProfile* stored = current())
            Q_EMIT openWanted(profile::StoredProfile(*stored));
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &StartPage::updateActions);
}

// The connection is copied: what receives the signal may change the list.
QAction* StartPage::addAction(const QString& objectName, Signal signal) {
    auto* action = new QAction(m_list);
    action->setObjectName(objectName);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(action);
    connect(action, &QAction::triggered, this, [this, signal] {
        if (const profile::StoredProfile* stored = current())
            Q_EMIT(this->*signal)(profile::StoredProfile(*stored));
    });
    return action;
}

// place: of the connection that this one moves before, relative to its own.
QAction* StartPage::addMove(const QString& objectName, const QKeySequence& key, int place) {
    auto* action = new QAction(m_list);
    action->setObjectName(objectName);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setShortcut(key);
    m_list->addAction(action);
    connect(action, &QAction::triggered, this, [this, place] {
        const int row = m_list->currentIndex().row();
        m_model->moveRow(QModelIndex(), row, QModelIndex(), row + place);
    });
    return action;
}

void StartPage::makeActions() {
    m_open = addAction(QStringLiteral("actionOpenConnection"), &StartPage::openWanted);
    m_edit = addAction(QStringLiteral("actionEditConnection"), &StartPage::editWanted);
    m_edit->setShortcut(Qt::Key_F2);
    m_duplicate = addAction(QStringLiteral("actionDuplicateConnection"), &StartPage::duplicateWanted);
    m_up = addMove(QStringLiteral("actionMoveConnectionUp"), Qt::ALT | Qt::Key_Up, -1);
    m_down = addMove(QStringLiteral("actionMoveConnectionDown"), Qt::ALT | Qt::Key_Down, 2);
    m_remove = new QAction(m_list);
    m_remove->setObjectName(QStringLiteral("actionRemoveConnection"));
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    m_remove->setShortcut(QKeySequence::Delete);
    m_list->addAction(m_remove);
    connect(m_remove, &QAction::triggered, this, [this] {
        if (const profile::StoredProfile* stored = current())
            confirmRemoval(*stored);
    });
}

void StartPage::retranslate() {
    m_headline->setText(tr("Lockkeeper"));
    m_welcome->setText(
        tr("Shows the locks that Redisson keeps in Redis or Valkey.\n"
           "Who holds each one, since when, and who waits for it.\n"
           "What may be wrong with it, with the evidence.\n"
           "Every connection is read-only until you arm it.\n"
           "F1 opens the manual."));
    m_connect->setText(tr("Connect to a &server…"));
    m_demo->setText(tr("Open the &demo"));
    m_lab->setText(tr("Open the la&b"));
    m_redisson->setText(tr("Import a &Redisson configuration…"));
    m_list->setAccessibleName(tr("Known connections"));
    m_empty->setText(tr("No connections yet. One that you connect to is listed here; one with a name is saved."));
    m_open->setText(tr("&Open"));
    m_duplicate->setText(tr("D&uplicate"));
    m_up->setText(tr("&Move up"));
    m_down->setText(tr("Move do&wn"));
    m_model->retranslate();
    updateActions();
    if (const profile::StoredProfile* stored = current(); stored && m_question)
        nameQuestion(*stored);
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    if (m_list->isVisibleTo(this))
        m_list->setFocus();
    else
        m_connect->setFocus();
}

// The selection stays on the same connection.
void StartPage::refresh() {
    if (!isVisible())
        return;
    const profile::StoredProfile* before = current();
    const profile::ProfileId id = before ? before->profile.id : profile::ProfileId();
    m_model->setConnections(m_known.saved(), m_known.recent(), m_clock.wallNow());
    m_model->setPhases(m_known.phases());
    const QModelIndex same = m_model->indexOf(id);
    m_list->setCurrentIndex(same.isValid() ? same : m_model->firstConnection());
    m_list->setVisible(m_model->rowCount() > 0);
    m_empty->setVisible(m_model->rowCount() == 0);
    updateActions();
}

const profile::StoredProfile* StartPage::current() const {
    return m_model->connection(m_list->currentIndex());
}

void StartPage::updateActions() {
    const profile::StoredProfile* stored = current();
    const bool isSaved = stored && stored->isSaved();
    for (QAction* action : {m_open, m_edit, m_remove})
        action->setEnabled(stored != nullptr);
    for (QAction* action : {m_duplicate, m_up, m_down})
        action->setEnabled(isSaved);
    m_edit->setText(isSaved ? tr("&Edit…") : tr("&Save…"));
    m_remove->setText(isSaved ? tr("&Delete…") : tr("Remove from the &list…"));
}

void StartPage::confirmRemoval(const profile::StoredProfile& stored) {
    if (m_question)
        return;
    m_question = plainMessageBox(this);
    m_question->setObjectName(QStringLiteral("removeConnectionBox"));
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setIcon(QMessageBox::Question);
    QPushButton* remove = m_question->addButton(QString(), QMessageBox::AcceptRole);
    remove->setObjectName(QStringLiteral("removeConnection"));
    m_question->setDefaultButton(m_question->addButton(QMessageBox::Cancel));
    connect(remove, &QPushButton::clicked, this, [this, stored] { Q_EMIT removeWanted(stored); });
    nameQuestion(stored);
    m_question->open();
}

void StartPage::nameQuestion(const profile::StoredProfile& stored) {
    const QString name = shortened(connectionName(stored.label, stored.profile.display()), 60);
    m_question->setWindowTitle(tr("Delete a connection"));
    m_question->setText(tr("Delete the connection %1?").arg(name));
    m_question->setInformativeText(tr("Its passwords are deleted from the keychain, too. The server is not changed."));
    m_question->findChild<QPushButton*>(QStringLiteral("removeConnection"))->setText(tr("&Delete"));
}

}  // namespace lockkeeper::ui

#include "moc_startpage.cpp"
