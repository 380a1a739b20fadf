package dev.leasehold.spring.elsewhere;

import dev.leasehold.spring.Leased;

/** Its method is seen in this package alone, so that a proxy of a class in another one does not override it. */
public class PackagePrivateJob {

    @Leased(name = "package-private")
    void job() {}

    public static void call(PackagePrivateJob job) {
        job.job();
    }
}
