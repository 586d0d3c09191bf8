// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/changeheadline.h"

#include "ui/base/helptip.h"
#include "ui/operate/changechoices.h"
#include "ui/words/locktext.h"

namespace lockkeeper::ui {

namespace {

// Characters of the name.
constexpr qsizetype longest = 200;
constexpr qsizetype shortest = 10;

}  // namespace

ChangeHeadline::ChangeHeadline(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QFont headline = font();
    headline.setBold(true);
    headline.setPointSizeF(headline.pointSizeF() * 1.2);
    setFont(headline);
}

void ChangeHeadline::setChange(const control::LockChange& change, const LockName& name, const ProgramNames& names) {
    m_change = change;
    m_name = name;
    m_names = names;
    setToolTip(helpTip(names.withKey(name)));
    fit();
}

void ChangeHeadline::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

QString ChangeHeadline::question(qsizetype nameLength) const {
    return tr("%1?", "an action, such as: Force-release orders")
        .arg(changeTitle(m_change, m_names.shown(m_name, nameLength)));
}

void ChangeHeadline::fit() {
    qsizetype length = longest;
    while (length > shortest && fontMetrics().horizontalAdvance(question(length)) > contentsRect().width())
        length -= 2;
    setText(question(length));
}

}  // namespace lockkeeper::ui

#include "moc_changeheadline.cpp"
