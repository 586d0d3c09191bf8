// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shortcutsdialog.h"

#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/window/palette/menuactions.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstShortcutsSize(620, 640);

QString shownKeys(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

// The widget in which the action's key works; null if that is not in the window.
const QWidget* placeOf(const QAction& action, const QWidget& window) {
    for (const QObject* object : action.associatedObjects()) {
        const auto* widget = qobject_cast<const QWidget*>(object);
        if (widget && widget->window() == &window)
            return widget;
    }
    return nullptr;
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(QMainWindow& window)
    : FittedDialog(&window),
      m_window(window),
      m_search(new QLineEdit(this)),
      m_keys(new QTreeWidget(this)),
      m_more(plainLabel(this)) {
    m_search->setObjectName(QStringLiteral("shortcutsSearch"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_keys->setObjectName(QStringLiteral("shortcuts"));
    m_more->setObjectName(QStringLiteral("shortcutsMore"));
    makeLayout();
    resize(firstShortcutsSize.boundedTo(window.size()));
    connect(m_search, &QLineEdit::textChanged, this, &ShortcutsDialog::search);
    keepTranslated(*this, [this] { retranslate(); });
}

void ShortcutsDialog::makeLayout() {
    m_keys->setColumnCount(2);
    m_keys->setRootIsDecorated(false);
    m_keys->setUniformRowHeights(true);
    m_keys->header()->setStretchLastSection(false);
    m_keys->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_keys->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_more->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    // Enter in the search must not close the dialog.
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &ShortcutsDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addWidget(m_keys, 1);
    layout->addWidget(m_more);
    layout->addWidget(buttons);
}

void ShortcutsDialog::retranslate() {
    setWindowTitle(tr("Keyboard shortcuts"));
    m_search->setPlaceholderText(tr("Search by action or key"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_keys->setAccessibleName(tr("Keyboard shortcuts"));
    m_keys->setHeaderLabels({tr("Action"), tr("Keys")});
    m_more->setText(tr("The timeline has keys of its own: F1 explains them when the keyboard is in it."));
    fill();
}

void ShortcutsDialog::fill() {
    m_keys->clear();
    addMenus();
    addOthers();
    m_keys->expandAll();
    search();
}

void ShortcutsDialog::addMenus() {
    for (const MenuAction& one : menuActions(*m_window.menuBar()))
        addRow(one.menu, one.text, *one.action);
}

// Each session has the same keys, so one is enough.
void ShortcutsDialog::addOthers() {
    QSet<const QAction*> menus;
    for (const MenuAction& one : menuActions(*m_window.menuBar()))
        menus.insert(one.action);
    QStringList known;
    for (const QAction* action : m_window.findChildren<QAction*>()) {
        const QString text = plainActionText(action->text());
        const QWidget* place = placeOf(*action, m_window);
        if (text.isEmpty() || !place || menus.contains(action))
            continue;
        const QString group =
            place->accessibleName().isEmpty() ? tr("Elsewhere in the window") : place->accessibleName();
        const QString row = group + u'\n' + text;
        if (known.contains(row))
            continue;
        known << row;
        addRow(group, text, *action);
    }
}

void ShortcutsDialog::addRow(const QString& group, const QString& text, const QAction& action) {
    if (!action.shortcuts().isEmpty())
        new QTreeWidgetItem(groupOf(group), {text, shownKeys(action)});
}

QTreeWidgetItem* ShortcutsDialog::groupOf(const QString& title) {
    for (int i = 0; i < m_keys->topLevelItemCount(); ++i) {
        if (m_keys->topLevelItem(i)->text(0) == title)
            return m_keys->topLevelItem(i);
    }
    auto* group = new QTreeWidgetItem(m_keys, {title});
    group->setFlags(Qt::ItemIsEnabled);
    QFont bold = font();
    bold.setBold(true);
    group->setFont(0, bold);
    return group;
}

void ShortcutsDialog::search() {
    const QString words = m_search->text().simplified();
    for (int i = 0; i < m_keys->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_keys->topLevelItem(i);
        int shown = 0;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem* item = group->child(row);
            const QString text = item->text(0) + u' ' + item->text(1);
            item->setHidden(!text.contains(words, Qt::CaseInsensitive));
            shown += item->isHidden() ? 0 : 1;
        }
        group->setHidden(shown == 0);
    }
}

}  // namespace lockkeeper::ui

#include "moc_shortcutsdialog.cpp"
