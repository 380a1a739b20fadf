package dev.leasehold.replicaset.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need a replica set of one node, and do no faults to it. All tests of a run share it; it is started when
 * the first one asks for it.
 *
 * <p>Parameters of tests, of their lifecycle methods and of test classes' constructors can be:
 *
 * <ul>
 *   <li>{@link dev.leasehold.replicaset.TestDatabase}: fresh for each test, and the same one in all that belongs to the
 *       test. In a {@code @BeforeAll} method, one for the whole class.
 *   <li>{@link dev.leasehold.replicaset.ReplicaSet}: the set.
 * </ul>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ReplicaSetExtension.class)
public @interface WithReplicaSet {}
