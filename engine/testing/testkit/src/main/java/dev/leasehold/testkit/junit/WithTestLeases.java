package dev.leasehold.testkit.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives parameters of type {@link dev.leasehold.testkit.TestLeases} and {@link dev.leasehold.engine.LeaseEngine} to tests, to their
 * constructors and to methods that run before and after each of them: all of one test get the same, and no other test does. The engine is
 * that of {@link dev.leasehold.testkit.TestLeases#engine()}. All is closed after the test.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(TestLeasesExtension.class)
public @interface WithTestLeases {}
