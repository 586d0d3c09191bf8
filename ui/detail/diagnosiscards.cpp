// SPDX-License-Identifier: Apache-2.0
#include "ui/detail/diagnosiscards.h"

#include "ui/detail/wrappedtext.h"
#include "ui/help/helptexts.h"
#include "ui/help/helptip.h"
#include "ui/look/iconlabel.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int longestCard = 12;  // lines

QString issueLinks(const QList<int>& issues) {
    QStringList links;
    for (const int issue : issues)
        links << QStringLiteral("<a href=\"https://github.com/redisson/redisson/issues/%1\">#%1</a>").arg(issue);
    return DiagnosisCards::tr("Known to Redisson by %1").arg(listText(links));
}

QLabel* titleLabel(const monitor::Diagnosis& diagnosis, QWidget* parent) {
    QLabel* label = plainLabel(diagnosisText(diagnosis), parent);
    label->setObjectName(QStringLiteral("diagnosisTitle"));
    label->setWordWrap(true);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QLabel* issuesLabel(monitor::DiagnosisKind kind, QWidget* parent) {
    QLabel* label = linksLabel(issueLinks(monitor::issuesOf(kind)), parent);
    label->setObjectName(QStringLiteral("diagnosisIssues"));
    label->setWordWrap(true);
    return label;
}

}  // namespace

DiagnosisCards::DiagnosisCards(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("diagnosisCards"));
    m_layout->setContentsMargins(0, 6, 0, 0);
    m_layout->setSpacing(6);
    hide();
}

void DiagnosisCards::setDiagnoses(const QList<monitor::Diagnosis>& diagnoses, WallTime now,
                                  const HolderAliases& aliases) {
    if (diagnoses == m_shown && aliases == m_aliases)
        return;
    m_shown = diagnoses;
    m_aliases = aliases;
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const monitor::Diagnosis& diagnosis : diagnoses)
        m_layout->addWidget(makeCard(diagnosis, now));
    setVisible(!diagnoses.isEmpty());
}

void DiagnosisCards::forget() {
    setDiagnoses({}, WallTime(), {});
}

QWidget* DiagnosisCards::makeCard(const monitor::Diagnosis& diagnosis, WallTime now) {
    const monitor::Severity severity = monitor::severityOf(diagnosis.kind());
    auto* card = new QFrame(this);
    card->setFrameShape(QFrame::StyledPanel);
    card->setAccessibleName(diagnosisText(diagnosis));
    card->setWhatsThis(helpTip(diagnosisHelp(diagnosis.kind())));
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    auto* mark = new IconLabel(16, card);
    mark->setIcon(icon(diagnosisIcon(severity), diagnosisTone(severity)));
    auto* title = new QHBoxLayout;
    title->addWidget(mark, 0, Qt::AlignTop);
    title->addWidget(titleLabel(diagnosis, card), 1);
    layout->addLayout(title);
    addText(*layout, "diagnosisEvidence", evidenceText(diagnosis.evidence, now, m_aliases));
    addText(*layout, "diagnosisAdvice", adviceText(diagnosis.kind()));
    if (!monitor::issuesOf(diagnosis.kind()).isEmpty())
        layout->addWidget(issuesLabel(diagnosis.kind(), card));
    return card;
}

void DiagnosisCards::addText(QVBoxLayout& layout, const char* objectName, const QString& text) {
    auto* label = new WrappedText(longestCard, layout.parentWidget());
    label->setObjectName(QLatin1String(objectName));
    label->setText(text);
    layout.addWidget(label);
}

}  // namespace lockkeeper::ui

#include "moc_diagnosiscards.cpp"
