package dev.leasehold.mergequeue.http;

/** Makes threads that do not keep the process alive. */
final class Threads {

    private Threads() {}

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
