package dev.leasehold.simulator.mutants;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import dev.leasehold.engine.internal.rules.LeaseRules;
import dev.leasehold.simulator.mutants.advice.ChangedRule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.scaffold.TypeValidation;

/**
 * Another result of a function of the engine that has neither state nor effects. The code of the advice is put around that of the function.
 *
 * @param name of the copy of the engine that has it
 * @param type has the function
 * @param function its name; there must be one public method of that name
 * @param advice the code
 */
record Patch(String name, Class<?> type, String function, Class<?> advice) {

    Patch {
        long found = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(function))
                .map(Method::getModifiers)
                .filter(Modifier::isPublic)
                .count();
        if (found != 1) {
            throw new IllegalStateException(
                    type + " has " + found + " public methods " + function + "; a mutant has to find exactly one");
        }
    }

    /** Of what is decided. */
    static Patch of(ChangedRule rule) {
        return new Patch(rule.name(), LeaseRules.class, "decide", ChangedRule.Code.class);
    }

    /** The class file of the type, with the advice. */
    byte[] classFile() {
        return new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .decorate(type)
                .visit(Advice.to(advice).on(named(function).and(isPublic())))
                .make()
                .getBytes();
    }
}
