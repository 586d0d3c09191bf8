#include "ui/table/nameorder.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

// Is shown as itself.
bool isPlain(char letter) {
    return letter >= ' ' && letter <= '~' && letter != '\\';
}

char folded(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

int compareAsShown(const LockName& one, const LockName& other) {
    const QByteArray& a = one.bytes();
    const QByteArray& b = other.bytes();
    const qsizetype common = std::min(a.size(), b.size());
    for (qsizetype i = 0; i < common; ++i) {
        if (!isPlain(a[i]) || !isPlain(b[i]))
            return QString::compare(one.display(), other.display(), Qt::CaseInsensitive);
        if (folded(a[i]) != folded(b[i]))
            return folded(a[i]) < folded(b[i]) ? -1 : 1;
    }
    // The one is how the other begins; whatever follows takes room.
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

}  // namespace lockkeeper::ui
