// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/appearancepage.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/window/settings/appearance.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

namespace lockkeeper::ui {

AppearancePage::AppearancePage(Appearance& appearance, QWidget* parent)
    : QWidget(parent),
      m_appearance(appearance),
      m_themeLabel(plainLabel(this)),
      m_theme(new QComboBox(this)),
      m_fontLabel(plainLabel(this)),
      m_font(new QSpinBox(this)),
      m_zoneLabel(plainLabel(this)),
      m_zone(new QComboBox(this)),
      m_zoneMeaning(plainLabel(this)) {
    makeFields();
    keepTranslated(*this, [this] { retranslate(); });
    refresh();
    followFields();
}

void AppearancePage::makeFields() {
    m_theme->setObjectName(QStringLiteral("settingsTheme"));
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark})
        m_theme->addItem(QString(), static_cast<int>(theme));
    m_font->setObjectName(QStringLiteral("settingsFont"));
    // The value below the smallest size stands for the desktop's size.
    m_font->setRange(Appearance::smallestFont - 1, Appearance::largestFont);
    m_font->setKeyboardTracking(false);
    m_zone->setObjectName(QStringLiteral("settingsZone"));
    for (const ClockZone zone : {ClockZone::Local, ClockZone::Utc})
        m_zone->addItem(QString(), static_cast<int>(zone));
    m_zoneMeaning->setObjectName(QStringLiteral("settingsZoneMeaning"));
    m_zoneMeaning->setWordWrap(true);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->addRow(m_themeLabel, m_theme);
    form->addRow(m_fontLabel, m_font);
    form->addRow(m_zoneLabel, m_zone);
    form->addRow(m_zoneMeaning);
    m_themeLabel->setBuddy(m_theme);
    m_fontLabel->setBuddy(m_font);
    m_zoneLabel->setBuddy(m_zone);
}

void AppearancePage::followFields() {
    connect(m_theme, &QComboBox::activated, this,
            [this] { m_appearance.setTheme(static_cast<Theme>(m_theme->currentData().toInt())); });
    connect(m_font, &QSpinBox::valueChanged, this,
            [this](int points) { m_appearance.setFontSize(points < Appearance::smallestFont ? 0 : points); });
    connect(m_zone, &QComboBox::activated, this,
            [this] { m_appearance.setZone(static_cast<ClockZone>(m_zone->currentData().toInt())); });
    connect(&m_appearance, &Appearance::changed, this, &AppearancePage::refresh);
}

void AppearancePage::refresh() {
    const QSignalBlocker blocked(m_font);
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(m_appearance.theme())));
    m_font->setValue(m_appearance.fontSize() > 0 ? m_appearance.fontSize() : m_font->minimum());
    m_zone->setCurrentIndex(m_zone->findData(static_cast<int>(Appearance::zone())));
}

void AppearancePage::retranslate() {
    m_themeLabel->setText(tr("&Theme:"));
    m_fontLabel->setText(tr("Font &size:"));
    m_font->setSuffix(tr(" pt"));
    m_font->setSpecialValueText(tr("as the system"));
    m_zoneLabel->setText(tr("Show t&imes in:"));
    m_zoneMeaning->setText(
        tr("Times in UTC end with Z, as in 14:02:11Z. The audit and incident reports are always in UTC."));
    const QStringList themes{tr("As the system"), tr("Light"), tr("Dark")};
    for (int i = 0; i < themes.size(); ++i)
        m_theme->setItemText(i, themes.at(i));
    const QStringList zones{tr("Local time"), tr("UTC")};
    for (int i = 0; i < zones.size(); ++i)
        m_zone->setItemText(i, zones.at(i));
}

}  // namespace lockkeeper::ui

#include "moc_appearancepage.cpp"
