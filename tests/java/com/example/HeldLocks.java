// SPDX-License-Identifier: Apache-2.0
package com.example;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.redisson.RedissonLock;

/** HeldLocks PORT UUID: see README.md. Prints "ready", and ends when its input ends. */
public final class HeldLocks {
    private static final int LEASE_MS = 30_000;
    private static final int THREADS = 5;
    private static final String TAKE = "redis.call('hset', KEYS[1], ARGV[2], 1); return redis.call('pexpire', KEYS[1], ARGV[1])";
    private static final String RENEW = "return redis.call('pexpire', KEYS[1], ARGV[1])";

    private static final CountDownLatch taken = new CountDownLatch(THREADS);
    private static final Map<String, String> held = new ConcurrentHashMap<>();
    private static String client;
    private static Redis redis;
    private static volatile long sum;

    public static void main(String[] arguments) throws Exception {
        redis = new Redis(Integer.parseInt(arguments[0]));
        client = arguments[1];
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start("worker", HeldLocks::work);
            start("sleeper", HeldLocks::sleep);
            start("reader", () -> read(silent.getLocalPort()));
            start("waiter", HeldLocks::waitForAnother);
            start("forgetful", HeldLocks::forget).join();
            taken.await();
            Thread watchdog = new Thread(HeldLocks::renew, "redisson-timer-4-1");
            watchdog.setDaemon(true);
            watchdog.start();
            System.out.println("ready");
            while (System.in.read() >= 0) {
                continue;
            }
        }
        System.exit(0);
    }

    private interface Job {
        void run() throws Exception;
    }

    private static Thread start(String name, Job job) {
        Thread thread = new Thread(() -> {
            try {
                job.run();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        }, name);
        thread.start();
        return thread;
    }

    private static void take(String lock) throws IOException {
        String holder = client + ":" + Thread.currentThread().getId();
        redis.send("EVAL", TAKE, "1", lock, String.valueOf(LEASE_MS), holder);
        held.put(lock, holder);
        taken.countDown();
    }

    private static void work() throws Exception {
        take("report:daily");
        while (true) {
            sum += System.nanoTime() % 7;
        }
    }

    private static void sleep() throws Exception {
        take("report:weekly");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void read(int port) throws Exception {
        take("payment:17");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getInputStream().read();
        }
    }

    private static void waitForAnother() throws Exception {
        take("stock:4711");
        new RedissonLock().lock();
    }

    private static void forget() throws Exception {
        take("order:4711");
    }

    private static void renew() {
        try {
            while (true) {
                for (Map.Entry<String, String> lock : held.entrySet()) {
                    redis.send("EVAL", RENEW, "1", lock.getKey(), String.valueOf(LEASE_MS), lock.getValue());
                }
                Thread.sleep(200);
            }
        } catch (IOException | InterruptedException e) {
            System.exit(1);
        }
    }

    /** One connection, which speaks RESP. */
    private static final class Redis {
        private final InputStream in;
        private final OutputStream out;

        Redis(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
            in = socket.getInputStream();
            out = socket.getOutputStream();
        }

        /** Returns when the answer, of one line, is there. */
        synchronized void send(String... words) throws IOException {
            StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                command.append('$').append(word.getBytes(StandardCharsets.UTF_8).length).append("\r\n").append(word).append("\r\n");
            }
            out.write(command.toString().getBytes(StandardCharsets.UTF_8));
            int first = in.read();
            for (int c = first; c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("the server is gone");
                }
            }
            if (first == '-') {
                throw new IOException("the server refuses");
            }
        }
    }
}
