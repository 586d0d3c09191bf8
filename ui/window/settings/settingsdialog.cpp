// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/settingsdialog.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstSettingsSize(50, 38);  // heights of a line
constexpr int pageListWidth = 13;           // heights of a line

// What the user reads at this part of a page.
QString textOf(const QWidget& part) {
    QStringList texts{part.accessibleName()};
    if (const auto* label = qobject_cast<const QLabel*>(&part))
        texts << label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&part))
        texts << button->text();
    if (const auto* group = qobject_cast<const QGroupBox*>(&part))
        texts << group->title();
    if (const auto* combo = qobject_cast<const QComboBox*>(&part)) {
        for (int i = 0; i < combo->count(); ++i)
            texts << combo->itemText(i);
    }
    if (const auto* list = qobject_cast<const QListWidget*>(&part)) {
        for (int row = 0; row < list->count(); ++row)
            texts << list->item(row)->text();
    }
    return texts.join(u' ').remove(u'&');
}

bool hasAny(const QString& text, const QStringList& words) {
    return std::ranges::any_of(words,
                               [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool hasAll(const QString& text, const QStringList& words) {
    return std::ranges::all_of(words,
                               [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

QString textOfPage(const SettingsPage& page) {
    QStringList texts{page.title()};
    for (const QWidget* part : page.fields->findChildren<QWidget*>())
        texts << textOf(*part);
    return texts.join(u' ');
}

void mark(const SettingsPage& page, const QStringList& words) {
    for (QWidget* part : page.fields->findChildren<QWidget*>()) {
        const bool isText = qobject_cast<QLabel*>(part) || qobject_cast<QAbstractButton*>(part);
        if (!isText)
            continue;
        QFont font = part->font();
        font.setBold(!words.isEmpty() && hasAny(textOf(*part), words));
        if (font.bold() != part->font().bold())
            part->setFont(font);
    }
}

}  // namespace

SettingsDialog::SettingsDialog(QWidget* parent)
    : FittedDialog(parent),
      m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_stack(new QStackedWidget(this)),
      m_title(plainLabel(this)),
      m_nothing(emptyPanelLabel(this)),
      m_reset(new QPushButton(this)),
      m_close(nullptr) {
    m_search->setObjectName(QStringLiteral("settingsSearch"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_search->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("settingsPages"));
    m_list->setSpacing(2);
    m_list->setFixedWidth(fontMetrics().height() * pageListWidth);
    m_nothing->setObjectName(QStringLiteral("settingsNothing"));
    m_reset->setObjectName(QStringLiteral("settingsReset"));
    m_reset->setAutoDefault(false);
    makeLayout();
    const QSize wanted = firstSettingsSize * fontMetrics().height();
    resize(wanted.boundedTo(parent ? parent->size() : wanted));
    connect(m_search, &QLineEdit::textChanged, this, &SettingsDialog::search);
    connect(m_list, &QListWidget::currentRowChanged, this, &SettingsDialog::showPage);
    connect(m_reset, &QPushButton::clicked, this, [this] { m_pages.at(m_list->currentRow()).reset(); });
    keepTranslated(*this, [this] { retranslate(); });
    m_search->setFocus();
}

void SettingsDialog::makeLayout() {
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_reset, QDialogButtonBox::ResetRole);
    m_close = buttons->button(QDialogButtonBox::Close);
    m_close->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &SettingsDialog::reject);
    auto* page = new QVBoxLayout;
    page->addWidget(m_title);
    page->addWidget(m_stack, 1);
    page->addWidget(m_nothing, 1);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(12);
    middle->addWidget(m_list);
    middle->addLayout(page, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addLayout(middle, 1);
    layout->addWidget(buttons);
}

void SettingsDialog::retranslate() {
    setWindowTitle(tr("Settings"));
    m_search->setPlaceholderText(tr("Search the settings"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_list->setAccessibleName(tr("Pages of the settings"));
    m_nothing->setText(tr("No setting has these words."));
    m_reset->setText(tr("&Reset this page"));
    m_reset->setToolTip(helpTip(tr("Everything on this page as it was before any change")));
    for (int i = 0; i < m_pages.size(); ++i)
        m_list->item(i)->setText(m_pages.at(i).title());
    showPage(m_list->currentRow());
}

void SettingsDialog::addPage(const SettingsPage& page) {
    auto* scroll = new QScrollArea(m_stack);
    scroll->setWidget(page.fields);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_pages << page;
    m_stack->addWidget(scroll);
    m_list->addItem(page.title());
    if (m_pages.size() == 1)
        m_list->setCurrentRow(0);
    search(m_search->text());
}

void SettingsDialog::showPageWith(const QString& fields) {
    m_search->clear();
    const auto isWanted = [&fields](const SettingsPage& page) { return page.fields->objectName() == fields; };
    const auto page = std::ranges::find_if(m_pages, isWanted);
    if (page == m_pages.end())
        return;
    m_list->setCurrentRow(static_cast<int>(page - m_pages.begin()));
    const auto takesKeys = [](const QWidget* field) {
        return field->isEnabled() && field->focusPolicy() & Qt::TabFocus;
    };
    const QList<QWidget*> parts = page->fields->findChildren<QWidget*>();
    if (const auto first = std::ranges::find_if(parts, takesKeys); first != parts.end())
        (*first)->setFocus();
}

void SettingsDialog::search(const QString& text) {
    const QStringList words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    int first = -1;
    for (int i = 0; i < m_pages.size(); ++i) {
        const bool matches = hasAll(textOfPage(m_pages.at(i)), words);
        m_list->item(i)->setHidden(!matches);
        if (matches && first < 0)
            first = i;
        mark(m_pages.at(i), words);
    }
    const QListWidgetItem* current = m_list->currentItem();
    if (first >= 0 && (!current || current->isHidden()))
        m_list->setCurrentRow(first);
    m_stack->setVisible(first >= 0);
    m_nothing->setVisible(first < 0);
    showPage(first < 0 ? -1 : m_list->currentRow());
}

void SettingsDialog::showPage(int index) {
    m_title->setText(index < 0 ? QString() : m_pages.at(index).title());
    m_reset->setEnabled(index >= 0 && m_pages.at(index).reset);
    if (index >= 0)
        m_stack->setCurrentIndex(index);
}

bool SettingsDialog::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = watched == m_search && event->type() == QEvent::KeyPress;
    if (isKey && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        m_list->setFocus();
        return true;
    }
    return FittedDialog::eventFilter(watched, event);
}

}  // namespace lockkeeper::ui

#include "moc_settingsdialog.cpp"
