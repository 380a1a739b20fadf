package dev.leasehold.simulator.bugs;

import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.utility.OpenedClassReader;

/** Replaces an instruction without operands, or a jump, that a method must have exactly once. */
final class OneInstruction extends MethodVisitor {

    private final String method;
    private final int opcode;
    private final int instead;
    private int found;

    OneInstruction(String method, MethodVisitor visitor, int opcode, int instead) {
        super(OpenedClassReader.ASM_API, visitor);
        this.method = method;
        this.opcode = opcode;
        this.instead = instead;
    }

    @Override
    public void visitInsn(int seen) {
        super.visitInsn(changed(seen));
    }

    @Override
    public void visitJumpInsn(int seen, Label target) {
        super.visitJumpInsn(changed(seen), target);
    }

    private int changed(int seen) {
        if (seen != opcode) {
            return seen;
        }
        found++;
        return instead;
    }

    @Override
    public void visitEnd() {
        if (found != 1) {
            throw new IllegalStateException(method + " has instruction " + opcode + " " + found
                    + " times; a planted bug has to find it exactly once");
        }
        super.visitEnd();
    }
}
