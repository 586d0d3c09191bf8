// SPDX-License-Identifier: Apache-2.0
#include "ui/base/windowstate.h"

#include "ui/base/storedvalues.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QMainWindow>
#include <QRect>

namespace lockkeeper::ui {

namespace {

const QByteArray sealMark = QByteArrayLiteral("LKS1");
constexpr qsizetype hashSize = 20;

QByteArray hashOf(const QByteArray& state) {
    return QCryptographicHash::hash(state, QCryptographicHash::Sha1);
}

bool isSealed(const QByteArray& bytes) {
    return bytes.startsWith(sealMark) &&
           bytes.mid(sealMark.size(), hashSize) == hashOf(bytes.mid(sealMark.size() + hashSize));
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
    stream >> magic >> major >> minor >> frame >> normal >> screen >> maximized >> fullScreen >> screenWidth >>
        geometry;
    return stream.status() == QDataStream::Ok && stream.atEnd() && magic == mark && major == 3 && isOnADesktop(frame) &&
           frame.isValid() && isOnADesktop(normal) && screen >= 0 && screen < mostScreens && screenWidth >= 0 &&
           isOnADesktop(geometry) && geometry.isValid();
}

}  // namespace

void saveDocks(QSettings& settings, const QString& key, const QMainWindow& window) {
    const QByteArray state = window.saveState();
    settings.setValue(key, sealMark + hashOf(state) + state);
}

bool restoreDocks(QSettings& settings, const QString& key, QMainWindow& window) {
    const std::optional<QByteArray> stored = storedBytes(settings, key, isSealed);
    if (!stored)
        return false;
    const bool isRestored = window.restoreState(stored->mid(sealMark.size() + hashSize));
    if (!isRestored)
        dropStored(settings, key);
    return isRestored;
}

void saveFrame(QSettings& settings, const QString& key, const QMainWindow& window) {
    settings.setValue(key, window.saveGeometry());
}

void restoreFrame(QSettings& settings, const QString& key, QMainWindow& window) {
    if (const std::optional<QByteArray> stored = storedBytes(settings, key, isPlausibleGeometry))
        (void)window.restoreGeometry(*stored);
}

}  // namespace lockkeeper::ui
