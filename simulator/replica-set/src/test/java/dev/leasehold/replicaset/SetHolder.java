package dev.leasehold.replicaset;

import java.io.IOException;

/** The program of another JVM: starts a set, says so, and ends as asked, without closing the set. */
final class SetHolder {

    static final String READY = "ready";

    private SetHolder() {}

    public static void main(String[] arguments) throws IOException {
        ReplicaSet set = ReplicaSet.start(1);
        if (arguments[0].equals("pause")) {
            set.node(0).pause();
        }
        System.out.println(READY);
        if (System.in.read() == 'x') {
            System.exit(3);
        }
    }
}
