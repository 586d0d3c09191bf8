// SPDX-License-Identifier: Apache-2.0
#include "ui/window/palette/palettedialog.h"

#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/window/palette/fuzzymatch.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstPaletteSize(760, 460);
constexpr int placeRole = Qt::UserRole;
constexpr int behindText = 50;  // a match of the detail is worth less than one of the text
constexpr int ifDisabled = 5;

enum PaletteColumn { TextColumn, DetailColumn, KeyColumn, PaletteColumns };

// Keeps the texts of entries without an icon below those of the others.
QIcon noIcon(int size) {
    QPixmap nothing(size, size);
    nothing.fill(Qt::transparent);
    return nothing;
}

int handicapOf(const PaletteEntry& entry) {
    return entry.handicap + (entry.isEnabled ? 0 : ifDisabled);
}

}  // namespace

PaletteDialog::PaletteDialog(std::function<std::vector<PaletteEntry>()> list, QWidget* parent)
    : FittedDialog(parent),
      m_makeEntries(std::move(list)),
      m_field(new QLineEdit(this)),
      m_list(new QTreeWidget(this)),
      m_count(plainLabel(this)) {
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_field->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_count->setObjectName(QStringLiteral("paletteCount"));
    makeLayout();
    resize(firstPaletteSize.boundedTo(parent ? parent->size() : firstPaletteSize));
    connect(m_field, &QLineEdit::textChanged, this, &PaletteDialog::search);
    connect(m_field, &QLineEdit::returnPressed, this, &PaletteDialog::runCurrent);
    connect(m_list, &QTreeWidget::itemClicked, this, &PaletteDialog::runCurrent);
    keepTranslated(*this, [this] { retranslate(); });
    m_field->setFocus();
}

void PaletteDialog::makeLayout() {
    m_list->setColumnCount(PaletteColumns);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    // The list must not take the focus: typing goes to the field.
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(TextColumn, QHeaderView::Stretch);
    for (const PaletteColumn column : {DetailColumn, KeyColumn})
        m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_count);
}

void PaletteDialog::retranslate() {
    setWindowTitle(tr("Go to"));
    m_field->setPlaceholderText(tr("A lock, an action, a connection or a client"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_list->setAccessibleName(tr("What was found"));
    const PaletteEntry* chosen = current();
    const QByteArray id = chosen ? chosen->id : QByteArray();
    m_entries = m_makeEntries();
    search(m_field->text());
    setCurrent(id);
}

std::vector<size_t> PaletteDialog::matching(const QString& typed) const {
    // The best match comes first; among equal ones the shorter text.
    using Rank = std::tuple<int, qsizetype, size_t>;
    std::vector<Rank> ranks;
    for (size_t i = 0; i < m_entries.size(); ++i) {
        const PaletteEntry& entry = m_entries[i];
        if (typed.isEmpty()) {
            if (entry.isShownAtFirst)
                ranks.emplace_back(entry.isEnabled ? 0 : 1, 0, i);
            continue;
        }
        if (const std::optional<int> match = fuzzyMatch(typed, entry.text))
            ranks.emplace_back(*match + handicapOf(entry), entry.text.size(), i);
        else if (const std::optional<int> behind = fuzzyMatch(typed, entry.text + u' ' + entry.detail))
            ranks.emplace_back(*behind + behindText + handicapOf(entry), entry.text.size(), i);
    }
    std::ranges::sort(ranks);
    std::vector<size_t> found;
    found.reserve(ranks.size());
    for (const Rank& rank : ranks)
        found.push_back(std::get<2>(rank));
    return found;
}

void PaletteDialog::search(const QString& typed) {
    fill(matching(typed.simplified()));
}

void PaletteDialog::fill(const std::vector<size_t>& found) {
    m_list->clear();
    const QIcon empty = noIcon(style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this));
    for (size_t i = 0; i < std::min<size_t>(found.size(), mostShown); ++i) {
        const PaletteEntry& entry = m_entries[found[i]];
        auto* item = new QTreeWidgetItem(m_list, {entry.text, entry.detail, entry.key});
        item->setIcon(TextColumn, entry.icon.isNull() ? empty : entry.icon);
        item->setData(TextColumn, placeRole, static_cast<qulonglong>(found[i]));
        item->setDisabled(!entry.isEnabled);
    }
    m_list->setCurrentItem(m_list->topLevelItem(0));
    if (found.empty())
        m_count->setText(tr("Nothing has these letters."));
    else if (found.size() > mostShown)
        m_count->setText(tr("The best %1 of %2; type more to narrow them down.")
                             .arg(numberText(mostShown), numberText(static_cast<qint64>(found.size()))));
    else
        m_count->setText(tr("Enter goes there, Esc closes."));
}

const PaletteEntry* PaletteDialog::current() const {
    const QTreeWidgetItem* item = m_list->currentItem();
    return item ? &m_entries[item->data(TextColumn, placeRole).toULongLong()] : nullptr;
}

void PaletteDialog::setCurrent(const QByteArray& id) {
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        if (m_entries[item->data(TextColumn, placeRole).toULongLong()].id == id)
            return m_list->setCurrentItem(item);
    }
}

// Closes first: the chosen action may open a dialog or move the keyboard focus.
void PaletteDialog::runCurrent() {
    const PaletteEntry* entry = current();
    if (!entry || !entry->isEnabled)
        return;
    const std::function<void()> run = entry->run;
    accept();
    run();
}

bool PaletteDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return FittedDialog::eventFilter(watched, event);
}

}  // namespace lockkeeper::ui

#include "moc_palettedialog.cpp"
