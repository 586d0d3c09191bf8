// SPDX-License-Identifier: Apache-2.0
#include "locks/synchronizers/synchronizerkeys.h"

namespace lockkeeper::locks {

namespace {

QByteArray inBraces(const QByteArray& name) {
    return '{' + name + '}';
}

QByteArray hashTagged(const QByteArray& name) {
    return name.contains('{') ? name : inBraces(name);
}

}  // namespace

QByteArray semaphoreChannel(const LockName& name) {
    return "redisson_sc:" + hashTagged(name.bytes());
}

QByteArray permitLeases(const LockName& name) {
    return hashTagged(name.bytes()) + ":timeout";
}

QByteArray latchChannel(const LockName& name) {
    return "redisson_countdownlatch__channel__" + inBraces(name.bytes());
}

}  // namespace lockkeeper::locks
