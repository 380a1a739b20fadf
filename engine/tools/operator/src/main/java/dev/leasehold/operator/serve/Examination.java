package dev.leasehold.operator.serve;

import dev.leasehold.operator.doctor.Finding;
import java.util.List;

/** Finds out what is wrong with a namespace. It may take a while. */
@FunctionalInterface
public interface Examination {

    /** All findings, without anything secret. */
    List<Finding> examine() throws InterruptedException;
}
