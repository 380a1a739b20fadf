package dev.leasehold.simulator.mutants;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import dev.leasehold.simulator.run.EngineAssembly;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.scaffold.TypeValidation;

/** How a mutant differs from the engine. */
public sealed interface Mutation {

    /** It is put together from other parts. */
    record Parts(EngineAssembly assembly) implements Mutation {}

    /**
     * A function of it, with neither state nor effects, gives another result. The code of the advice is put around that of the function.
     *
     * @param type has the function
     * @param function its name; there must be one public method of that name
     * @param advice the code
     */
    record Function(Class<?> type, String function, Class<?> advice) implements Mutation {

        public Function {
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
}
