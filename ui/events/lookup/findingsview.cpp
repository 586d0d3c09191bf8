// SPDX-License-Identifier: Apache-2.0
#include "ui/events/lookup/findingsview.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/words/explaintext.h"
#include "ui/words/timetext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int listedLines = 5;  // of the list and the text beside it, at least

}  // namespace

FindingsView::FindingsView(const ViewTime& time, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_list(new QListWidget(this)),
      m_text(new QPlainTextEdit(this)),
      m_notes(plainLabel(this)),
      m_toLock(new QPushButton(this)) {
    m_list->setObjectName(QStringLiteral("lookupFindings"));
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setObjectName(QStringLiteral("lookupExplanation"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_notes->setObjectName(QStringLiteral("lookupFindingNotes"));
    m_notes->setWordWrap(true);
    m_toLock->setObjectName(QStringLiteral("lookupToLock"));
    m_toLock->setAutoDefault(false);
    const int height = fontMetrics().lineSpacing() * listedLines;
    m_list->setMinimumHeight(height);
    m_text->setMinimumHeight(height);
    auto* beside = new QHBoxLayout;
    beside->addWidget(m_list, 2);
    beside->addWidget(m_text, 3);
    auto* below = new QHBoxLayout;
    below->addWidget(m_notes, 1);
    below->addWidget(m_toLock);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(beside);
    layout->addLayout(below);
    connect(m_list, &QListWidget::currentRowChanged, this, [this] {
        explain();
        Q_EMIT findingChosen();
    });
    connect(m_toLock, &QPushButton::clicked, this, [this] {
        if (const monitor::ErrorFinding* finding = chosen())
            Q_EMIT lockChosen(finding->lock);
    });
    hide();
}

void FindingsView::retranslate() {
    m_list->setAccessibleName(tr("Errors that were found in the text"));
    m_text->setAccessibleName(tr("What the chosen error means"));
    m_toLock->setText(tr("Show the &lock"));
    fillList();
}

void FindingsView::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    fillList();
}

void FindingsView::setReport(const monitor::ErrorReport& report, const QString& zone) {
    m_report = report;
    m_zone = zone;
    fillList();
    setVisible(!isEmpty());
}

const monitor::ErrorFinding* FindingsView::chosen() const {
    const int row = m_list->currentRow();
    return row < 0 || isEmpty() ? nullptr : &m_report.findings[static_cast<size_t>(row)];
}

void FindingsView::fillList() {
    const QSignalBlocker quiet(m_list);
    const int row = std::max(0, m_list->currentRow());
    m_list->clear();
    for (const monitor::ErrorFinding& finding : m_report.findings) {
        auto* item = new QListWidgetItem(findingTitle(finding, m_aliases), m_list);
        item->setToolTip(helpTip(item->text()));
    }
    m_list->setCurrentRow(std::min(row, m_list->count() - 1));
    QStringList notes = reportLines(m_report);
    notes << zoneText(m_report, m_zone);
    notes.removeAll(QString());
    m_notes->setText(isEmpty() ? QString() : notes.join(u' '));
    explain();
}

void FindingsView::explain() {
    const monitor::ErrorFinding* finding = chosen();
    m_toLock->setEnabled(finding && finding->namesLock());
    if (!finding)
        return m_text->clear();
    const WriteTime clock = [now = m_time.wallNow()](WallTime at) { return preciseClockText(at, now); };
    const QStringList lines = findingSubjects(*finding, clock, m_aliases) + findingExplanation(*finding) +
                              QStringList{findingCertainty(*finding)};
    m_text->setPlainText(lines.join(u'\n') + QStringLiteral("\n\n") + finding->excerpt);
}

}  // namespace lockkeeper::ui

#include "moc_findingsview.cpp"
