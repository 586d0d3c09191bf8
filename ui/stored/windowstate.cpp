// SPDX-License-Identifier: Apache-2.0
#include "ui/stored/windowstate.h"

#include "ui/stored/storedvalues.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QMainWindow>
#include <QRect>

namespace lockkeeper::ui {

namespace {

const QByteArray sealMark = QByteArrayLiteral("LKS1");
constexpr qsizetype hashSize = 20;
constexpr qsizetype largestState = 64 * 1024;  // usual: under 1 KB; Qt reads nested docks by recursion

QByteArray hashOf(const QByteArray& state) {
    return QCryptographicHash::hash(state, QCryptographicHash::Sha1);
}

bool isSealed(const QByteArray& bytes) {
    return bytes.startsWith(sealMark) &&
           bytes.mid(sealMark.size(), hashSize) == hashOf(bytes.mid(sealMark.size() + hashSize));
}

// Version 0.1 wrote no checksum. Qt checks what such a state says of docks, but not how many tool bars it has, so it must
// end with the list of none.
bool isFormerState(const QByteArray& bytes) {
    static const QByteArray begin = QByteArray::fromHex("000000ff00000000");
    static const QByteArray noToolBars = QByteArray::fromHex("fc00000000");
    return bytes.startsWith(begin) && bytes.endsWith(noToolBars);
}

bool isOnADesktop(const QRect& frame) {
    constexpr int farthest = 1 << 16;  // pixels from the origin, over all screens
    const auto isNear = [](int edge) { return edge >= -farthest && edge <= farthest; };
    return isNear(frame.left()) && isNear(frame.top()) && isNear(frame.right()) && isNear(frame.bottom());
}

// What QWidget::saveGeometry() writes, from Qt 5.12 on. Qt itself moves a window onto a screen that is there.
bool isPlausibleGeometry(const QByteArray& bytes) {
    constexpr quint32 mark = 0x1d9d0cb;
    constexpr int mostScreens = 64;
    QDataStream stream(bytes);
    stream.setVersion(QDataStream::Qt_4_0);
    quint32 magic = 0;
    quint16 major = 0;
    quint16 minor = 0;
    QRect frame;
    QRect normal;
    qint32 screen = 0;
    quint8 maximized = 0;
    quint8 fullScreen = 0;
    qint32 screenWidth = 0;
    QRect geometry;
    stream >> magic >> major >> minor >> frame >> normal >> screen >> maximized >> fullScreen >> screenWidth >> geometry;
    return stream.status() == QDataStream::Ok && stream.atEnd() && magic == mark && major == 3 && isOnADesktop(frame) &&
           frame.isValid() && isOnADesktop(normal) && screen >= 0 && screen < mostScreens && screenWidth >= 0 &&
           isOnADesktop(geometry) && geometry.isValid();
}

}  // namespace

void saveDocks(QSettings& settings, const QString& key, const QMainWindow& window) {
    const QByteArray state = window.saveState();
    settings.setValue(key, sealMark + hashOf(state) + state);
}

void restoreDocks(QSettings& settings, const QString& key, QMainWindow& window) {
    const std::optional<QByteArray> stored = storedBytes(settings, key, [](const QByteArray& bytes) {
        return bytes.size() <= largestState && (isSealed(bytes) || isFormerState(bytes));
    });
    if (!stored)
        return;
    const bool isRestored = window.restoreState(isSealed(*stored) ? stored->mid(sealMark.size() + hashSize) : *stored);
    if (!isRestored)
        dropStored(settings, key);
}

void saveFrame(QSettings& settings, const QString& key, const QMainWindow& window) {
    settings.setValue(key, window.saveGeometry());
}

void restoreFrame(QSettings& settings, const QString& key, QMainWindow& window) {
    if (const std::optional<QByteArray> stored = storedBytes(settings, key, isPlausibleGeometry))
        (void)window.restoreGeometry(*stored);
}

}  // namespace lockkeeper::ui
