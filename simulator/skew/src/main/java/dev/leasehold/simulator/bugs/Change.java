package dev.leasehold.simulator.bugs;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.asm.MemberSubstitution.Substitution.Chain.Step.ForDelegation;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;

/**
 * One change of one method. A change that finds nothing to change is an error: when the engine is rebuilt, a bug must not vanish
 * without a word.
 *
 * @param where the method
 * @param visitor makes the change, given what matches the method
 */
record Change(Where where, Visitor visitor) {

    private static final String ROOT = "dev.leasehold.";

    /** Changes what a matcher of methods says. */
    interface Visitor {
        AsmVisitorWrapper on(ElementMatcher<MethodDescription> method);
    }

    /**
     * A method.
     *
     * @param className below {@code dev.leasehold}
     * @param methodName its name; of the body of a lambda, what the compiler puts before its number; {@code <init>} for the constructor
     */
    record Where(String className, String methodName) {

        /** The code of an advice is put around that of the method. */
        Change advisedBy(Class<?> advice) {
            return new Change(this, method -> Advice.to(advice).on(method));
        }

        /**
         * Wherever the method calls another one, the code of a mistake runs in its place.
         *
         * @param called the name of the method that is called
         * @param mistakes the class with the code
         * @param mistake the name of the method there
         */
        Change insteadOf(String called, Class<?> mistakes, String mistake) {
            Method code = Arrays.stream(mistakes.getDeclaredMethods())
                    .filter(method -> method.getName().equals(mistake))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(mistakes.getName() + " has no method " + mistake));
            return new Change(
                    this,
                    method -> calls(called)
                            .replaceWithChain(ForDelegation.to(code))
                            .on(method));
        }

        /** Wherever the method reads a field, it reads another one of the same type. */
        Change readingInsteadOf(String field, String other) {
            return new Change(
                    this,
                    method -> MemberSubstitution.strict()
                            .failIfNoMatch(true)
                            .field(named(field))
                            .onRead()
                            .replaceWithField(named(other))
                            .on(method));
        }

        /** Wherever the method calls another one, it calls one of another name in the same place, which takes the same. */
        Change callingInsteadOf(String called, String other) {
            return new Change(
                    this,
                    method -> calls(called).replaceWithMethod(named(other)).on(method));
        }

        /** Wherever the method calls another one, nothing is called: the result is null, 0 or false. */
        Change without(String called) {
            return new Change(this, method -> calls(called).stub().on(method));
        }

        /** One instruction of the method, which has it once, is another one. */
        Change instruction(int opcode, int instead) {
            return new Change(
                    this,
                    method -> new AsmVisitorWrapper.ForDeclaredMethods()
                            .method(
                                    method,
                                    (type, changed, visitor, context, pool, writerFlags, readerFlags) ->
                                            new OneInstruction(changed.toString(), visitor, opcode, instead)));
        }

        private static MemberSubstitution.WithoutSpecification<?> calls(String called) {
            return MemberSubstitution.strict().failIfNoMatch(true).method(named(called));
        }

        private ElementMatcher.Junction<MethodDescription> matcher() {
            return methodName.equals("<init>")
                    ? isConstructor()
                    : named(methodName).or(nameStartsWith(methodName + "$"));
        }

        private void requireOne(TypeDescription type) {
            int found = type.getDeclaredMethods().filter(matcher()).size();
            if (found != 1) {
                throw new IllegalStateException("class " + type.getName() + " has " + found + " methods " + methodName
                        + "; a planted bug has to find exactly one");
            }
        }
    }

    static Where in(String className, String methodName) {
        return new Where(className, methodName);
    }

    /** The class files with all the changes, by the names of the classes. */
    static Map<String, byte[]> classFiles(List<Change> changes, ClassLoader original) {
        ClassFileLocator files = ClassFileLocator.ForClassLoader.of(original);
        TypePool types = TypePool.Default.of(files);
        Map<String, DynamicType.Builder<?>> builders = new LinkedHashMap<>();
        for (Change change : changes) {
            TypeDescription type = types.describe(ROOT + change.where.className).resolve();
            change.where.requireOne(type);
            builders.put(type.getName(), change.applied(builders.getOrDefault(type.getName(), unchanged(type, files))));
        }
        Map<String, byte[]> classFiles = new LinkedHashMap<>();
        builders.forEach(
                (name, builder) -> classFiles.put(name, builder.make(types).getBytes()));
        return classFiles;
    }

    private static DynamicType.Builder<?> unchanged(TypeDescription type, ClassFileLocator files) {
        return new ByteBuddy().with(TypeValidation.DISABLED).decorate(type, files);
    }

    private DynamicType.Builder<?> applied(DynamicType.Builder<?> builder) {
        return builder.visit(visitor.on(where.matcher()));
    }
}
