package dev.leasehold.simulator.mutants;

import static net.bytebuddy.matcher.ElementMatchers.isPrivate;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;

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
 * @param function its name; there must be one method of that name that is not private
 * @param advice the code
 */
record Patch(String name, Class<?> type, String function, Class<?> advice) {

    Patch {
        long found = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(function))
                .map(Method::getModifiers)
                .filter(modifiers -> !Modifier.isPrivate(modifiers))
                .count();
        if (found != 1) {
            throw new IllegalStateException(
                    type + " has " + found + " methods " + function + "; a mutant has to find exactly one");
        }
    }

    /** Of what is decided. */
    static Patch of(ChangedRule rule) {
        return new Patch(rule.name(), LeaseRules.class, "decide", ChangedRule.Code.class);
    }

    /**
     * Of a class of the engine that only its package knows.
     *
     * @param type its name below the package of the engine's internals
     */
    static Patch of(String name, String type, String function, Class<?> advice) {
        try {
            String packageName = LeaseRules.class.getPackageName().replaceFirst("[.]rules$", ".");
            return new Patch(name, Class.forName(packageName + type), function, advice);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the engine has no " + type + "; a mutant has to find it", e);
        }
    }

    /** The class file of the type, with the advice. */
    byte[] classFile() {
        return new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .decorate(type)
                .visit(Advice.to(advice).on(named(function).and(not(isPrivate()))))
                .make()
                .getBytes();
    }
}
