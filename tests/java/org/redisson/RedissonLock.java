// SPDX-License-Identifier: Apache-2.0
package org.redisson;

import java.util.concurrent.Semaphore;

/** Waits for ever, in a frame with the name of the real class. */
public final class RedissonLock {
    private final Semaphore released = new Semaphore(0);

    public void lock() throws InterruptedException {
        released.acquire();
    }
}
