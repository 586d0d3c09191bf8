// SPDX-License-Identifier: Apache-2.0
#include "ui/export/filewriting.h"

#include <QPromise>
#include <QSaveFile>
#include <QThreadPool>

#include <memory>

namespace lockkeeper::ui {

namespace {

Result<Done> write(const QString& path, const std::function<bool(QIODevice&)>& content) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && content(file) && file.commit())
        return Done();
    return Error(ErrorCode::Storage, file.errorString());
}

}  // namespace

QFuture<Result<Done>> writeFile(const QString& path, std::function<bool(QIODevice&)> content) {
    const auto promise = std::make_shared<QPromise<Result<Done>>>();
    promise->start();
    QThreadPool::globalInstance()->start([promise, path, content = std::move(content)] {
        promise->addResult(write(path, content));
        promise->finish();
    });
    return promise->future();
}

}  // namespace lockkeeper::ui
