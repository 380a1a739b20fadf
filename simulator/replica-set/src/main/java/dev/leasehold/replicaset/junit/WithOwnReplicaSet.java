package dev.leasehold.replicaset.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests that need a replica set for themselves, to do faults to it. On a class, all its tests share the set. They run one
 * after the other, also where JUnit runs tests in parallel, and faults of processes are undone after each test. On a
 * method, the set is for this test alone. Parameters as with {@link WithReplicaSet}. The tests are skipped if an existing
 * replica set is configured. Authentication and parameters can be had only with a {@code mongod} on this machine.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Execution(ExecutionMode.SAME_THREAD)
@ExtendWith(ReplicaSetExtension.class)
public @interface WithOwnReplicaSet {

    /**
     * The number of nodes.
     *
     * @return 1 or 3; by default 3
     */
    int nodes() default 3;

    /**
     * Whether clients must authenticate. What the set and its databases hand out is for an administrator then; {@link
     * dev.leasehold.replicaset.TestDatabase#newUser} makes users with fewer rights.
     *
     * @return by default false
     */
    boolean authentication() default false;

    /**
     * Parameters of each server process.
     *
     * @return each as {@code name=value}, such as {@code transactionLifetimeLimitSeconds=5}; by default none
     */
    String[] parameters() default {};
}
