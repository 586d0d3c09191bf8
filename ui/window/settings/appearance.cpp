// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/appearance.h"

#include "ui/base/storedvalues.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QSettings>
#include <QWidget>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto themeKey = QStringLiteral("view/theme");
const auto fontKey = QStringLiteral("view/fontSize");
const auto zoneKey = QStringLiteral("view/clock");

int possibleFontSize(int points) {
    return points <= 0 ? 0 : std::clamp(points, Appearance::smallestFont, Appearance::largestFont);
}

Theme storedTheme(QSettings& settings) {
    const auto isTheme = [](const QString& word) { return toString(themeFromString(word)) == word; };
    return themeFromString(storedText(settings, themeKey, isTheme).value_or(QString()));
}

ClockZone storedZone(QSettings& settings) {
    const auto isZone = [](const QString& word) { return toString(clockZoneFromString(word)) == word; };
    return clockZoneFromString(storedText(settings, zoneKey, isZone).value_or(QString()));
}

int storedFontSize(QSettings& settings) {
    const std::optional<qint64> points = storedNumber(settings, fontKey, 0, Appearance::largestFont);
    if (points.value_or(0) > 0 && *points < Appearance::smallestFont)
        dropStored(settings, fontKey);
    return points.value_or(0) < Appearance::smallestFont ? 0 : static_cast<int>(*points);
}

// Every text with a time in it is set again with the language.
void showAllTextsAgain() {
    for (QWidget* window : QApplication::topLevelWidgets())
        QCoreApplication::postEvent(window, new QEvent(QEvent::LanguageChange));
}

}  // namespace

Appearance::Appearance(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_theme(storedTheme(settings)), m_fontSize(storedFontSize(settings)) {
    applyTheme(*qApp, m_theme);
    applyFont();
    setClockZone(storedZone(settings));
}

void Appearance::setTheme(Theme theme) {
    m_settings.setValue(themeKey, toString(theme));
    m_theme = theme;
    applyTheme(*qApp, theme);
    Q_EMIT changed();
}

void Appearance::setFontSize(int points) {
    m_fontSize = possibleFontSize(points);
    m_settings.setValue(fontKey, m_fontSize);
    applyFont();
    Q_EMIT changed();
}

void Appearance::setZone(ClockZone zone) {
    m_settings.setValue(zoneKey, toString(zone));
    setClockZone(zone);
    showAllTextsAgain();
    Q_EMIT changed();
}

void Appearance::reset() {
    setTheme(Theme::System);
    setFontSize(0);
    setZone(ClockZone::Local);
}

// A font that is set for all widgets replaces the desktop's fonts of menus and titles, so none is set needlessly.
void Appearance::applyFont() const {
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (m_fontSize > 0)
        font.setPointSize(m_fontSize);
    if (QApplication::font().pointSize() != font.pointSize())
        QApplication::setFont(font);
}

}  // namespace lockkeeper::ui

#include "moc_appearance.cpp"
