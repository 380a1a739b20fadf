package dev.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs the method only on the process that leads; elsewhere a call returns at once, with null or nothing.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 5_000)
 * @LeaderOnly
 * void poll() { ... }
 * }</pre>
 *
 * <p>The process campaigns for every election that a method names, from the start of the application on. {@link LeaderGranted} and
 * {@link LeaderLost} tell how it goes. Inside of the method {@link LeaseHolder#requireHeld()} asks whether it still leads.
 *
 * <p>A method that returns a {@link java.util.concurrent.CompletionStage} or {@link java.util.concurrent.CompletableFuture} runs until that
 * ends. One that returns a {@code Mono} or {@code Flux} of Reactor is called by each subscription, if this process leads then, and runs until
 * the publisher ends or is cancelled. Elsewhere the stage has no value, and the publisher is empty.
 *
 * <p>An application whose annotations cannot be kept does not start. The method returns an object, or nothing. Other results behind which work
 * goes on are refused, and so are suspend functions; a call that returned one as an {@code Object} fails.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface LeaderOnly {

    /**
     * The election, which is the name of its lease.
     *
     * @return {@code leader} by default; may have {@code ${...}} for properties, but no expressions
     */
    String value() default "leader";
}
