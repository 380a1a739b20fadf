-------------------------------- MODULE Gate --------------------------------
(* Assertions, tokens, removal (specification sections 4, 5, 6, 8); no clocks  *)
(* are needed.  Documents are multi-version: a transaction reads the snapshot  *)
(* of its first operation and the first writer wins.  Resource 0 is the lease  *)
(* document, 1..K are its gate stripes.  `ten` is a ghost: the tenure's true   *)
(* identity.  Any held lease may be taken at any time.  With "once" in `Ops`   *)
(* every transaction of a caller records the same occurrence: it looks in its  *)
(* snapshot, and writes one document.  `Mut` plants faults.                    *)
EXTENDS Integers, TLC
CONSTANTS E, C, H, K, MaxTen, MaxSeq, Ops, Mut

None == "-"
m(x) == x \in Mut
Max(a, b) == IF a > b THEN a ELSE b
R == 0..K
Sym == Permutations(E) \cup Permutations(C) \cup Permutations(H)

VARIABLES doc,    \* the committed lease document (ver 0 = there is none)
          gate,   \* holder, token and last change (commit number) of every resource
          floor, seq, tens,
          lock,   \* resource -> open transaction that wrote it
          clock,  \* the engine whose open transaction wrote the clock document
          rec,    \* the record: how many transactions with it committed, last change, open transaction that wrote it
          eng, cal, bad
vars == <<doc, gate, floor, seq, tens, lock, clock, rec, eng, cal, bad>>

NoDoc == [h |-> None, tok |-> 0, ver |-> 0, ten |-> 0]
NoView == [NoDoc EXCEPT !.ver = -1]
Idle == [st |-> "idle", d |-> NoView, f |-> 0, op |-> None, nd |-> NoDoc]
Rest == [st |-> "rest", h |-> None, tok |-> 0, ten |-> 0, at |-> 0, r |-> 0, see |-> [h |-> None, tok |-> 0, done |-> FALSE]]
Init == /\ doc = NoDoc /\ floor = 0 /\ seq = 0 /\ tens = 0 /\ bad = {}
        /\ gate = [r \in R |-> [h |-> None, tok |-> 0, at |-> 0]]
        /\ lock = [r \in R |-> None] /\ clock = None /\ rec = [n |-> 0, at |-> 0, lock |-> None]
        /\ eng = [e \in E |-> Idle] /\ cal = [c \in C |-> Rest]

(* ------------------------------- engines ---------------------------------- *)
Look(e) == /\ eng[e].st = "idle" /\ (eng[e].d # doc \/ eng[e].f # floor)
           /\ eng' = [eng EXCEPT ![e] = [@ EXCEPT !.d = doc, !.f = floor]]
           /\ UNCHANGED <<doc, gate, floor, seq, tens, lock, clock, rec, cal, bad>>

New(d, f, h, t) == [h |-> h, tok |-> (IF d.ver = 0 THEN f ELSE d.tok) + 1, ver |-> d.ver + 1, ten |-> t]
Decide(e) == LET d == eng[e].d
                 do(op, nd) == op \in Ops /\ eng' = [eng EXCEPT ![e] = [@ EXCEPT !.st = "sent", !.op = op, !.nd = nd]]
  IN
  /\ eng[e].st = "idle" /\ d.ver >= 0 /\ seq < MaxSeq
  /\ \/ \E h \in H : d.h = None /\ do("claim", New(d, eng[e].f, h, 0))
     \/ \E h \in H : d.h # None /\ do("take", New(d, eng[e].f, h, 0))
     \/ d.h # None /\ do("extend", [d EXCEPT !.ver = @ + 1])
     \/ d.h # None /\ do("release", [d EXCEPT !.ver = @ + 1, !.h = None])
     \/ d.h = None /\ d.ver > 0 /\ do("remove", NoDoc)
  /\ UNCHANGED <<doc, gate, floor, seq, tens, lock, clock, rec, cal, bad>>

Tenure(op) == op # "extend"
Held(op) == IF Tenure(op) /\ ~(m("OneStripe") /\ op = "release") THEN R ELSE {0}
(* the update command: an update that finds a document written by an open transaction comes again later *)
Update(e) == LET p == eng[e]
                 guard == /\ doc.ver = p.d.ver \/ (m("NoVersion") /\ p.op = "claim" /\ doc.h = None /\ p.d.ver > 0 /\ doc.ver > 0)
                          /\ doc.tok = p.d.tok \/ m("VersionOnly") \/ m("NoVersion")          (*+*)
                          /\ floor = p.f \/ p.d.ver > 0 \/ m("FloorUnguarded")                 (*+*)
  IN
  /\ p.st = "sent" /\ clock = None /\ \A r \in Held(p.op) : lock[r] = None
  /\ IF guard
     THEN /\ clock' = e /\ lock' = [r \in R |-> IF r \in Held(p.op) THEN e ELSE lock[r]]
          /\ eng' = [eng EXCEPT ![e].st = "open"]
          /\ bad' = IF doc.ten # p.d.ten THEN bad \cup {"Faithful"} ELSE bad
     ELSE eng' = [eng EXCEPT ![e] = Idle] /\ UNCHANGED <<clock, lock, bad>>
  /\ UNCHANGED <<doc, gate, floor, seq, tens, rec, cal>>

EndEng(e, commit) == LET p == eng[e]
                         fresh == p.op \in {"claim", "take"}
                         nd == IF fresh THEN [p.nd EXCEPT !.ten = tens + 1] ELSE p.nd
  IN
  /\ p.st = "open" /\ (fresh => tens < MaxTen)
  /\ clock' = None /\ lock' = [r \in R |-> IF lock[r] = e THEN None ELSE lock[r]]
  /\ IF commit
     THEN /\ seq' = seq + 1 /\ doc' = nd /\ tens' = IF fresh THEN tens + 1 ELSE tens
          /\ gate' = [r \in R |-> IF r \in Held(p.op) THEN [h |-> nd.h, tok |-> nd.tok, at |-> seq + 1] ELSE gate[r]]
          /\ floor' = IF p.op = "remove" /\ ~m("NoFloor") THEN Max(floor, doc.tok) ELSE floor
          /\ bad' = IF fresh /\ nd.tok <= Max(doc.tok, floor) THEN bad \cup {"G5"} ELSE bad
     ELSE UNCHANGED <<seq, doc, tens, gate, floor, bad>>
  /\ eng' = [eng EXCEPT ![e] = Idle]
  /\ UNCHANGED <<rec, cal>>

(* ------------------------------- callers ---------------------------------- *)
(* has an assertion for the present tenure, and may use it at any later time *)
Obtain(c) == /\ cal[c].st = "rest" /\ doc.h # None
             /\ \E r \in R : cal' = [cal EXCEPT ![c] = [Rest EXCEPT !.st = "has", !.h = doc.h, !.tok = doc.tok,
                                                        !.ten = doc.ten, !.r = r]]
             /\ UNCHANGED <<doc, gate, floor, seq, tens, lock, clock, rec, eng, bad>>
Begin(c) == /\ cal[c].st = "has"
            /\ cal' = [cal EXCEPT ![c] = [@ EXCEPT !.st = "begun", !.at = seq,
                                                   !.see = [h |-> gate[cal[c].r].h, tok |-> gate[cal[c].r].tok,
                                                            done |-> rec.n > 0]]]
            /\ UNCHANGED <<doc, gate, floor, seq, tens, lock, clock, rec, eng, bad>>
Again(c) == [cal[c] EXCEPT !.st = "has", !.at = 0, !.see = Rest.see,
                           !.tok = IF m("FreshToken") /\ doc.h # None THEN doc.tok ELSE @,
                           !.h = IF m("FreshToken") /\ doc.h # None THEN doc.h ELSE @]
Once == "once" \in Ops
Gating(c) == LET p == cal[c]
                 pass == p.see.h = p.h /\ (p.see.tok = p.tok \/ m("HolderOnly"))
                 before == Once /\ p.see.done /\ ~m("NoLook")
                 taken == Once /\ ~m("OwnRecord") /\ (rec.lock # None \/ rec.at > p.at)
                 conflict == taken \/ (~m("Blank") /\ (lock[p.r] # None \/ gate[p.r].at > p.at))
  IN
  /\ p.st = "begun"
  /\ IF before THEN cal' = [cal EXCEPT ![c] = Rest] /\ UNCHANGED <<lock, rec>>
     ELSE IF conflict THEN cal' = [cal EXCEPT ![c] = Again(c)] /\ UNCHANGED <<lock, rec>>
     ELSE IF ~pass THEN cal' = [cal EXCEPT ![c] = Rest] /\ UNCHANGED <<lock, rec>>
     ELSE /\ cal' = [cal EXCEPT ![c] = [p EXCEPT !.st = "asserted"]]
          /\ lock' = IF m("Blank") THEN lock ELSE [lock EXCEPT ![p.r] = c]
          /\ rec' = IF Once THEN [rec EXCEPT !.lock = c] ELSE rec
  /\ UNCHANGED <<doc, gate, floor, seq, tens, clock, eng, bad>>
EndCal(c, commit) == LET p == cal[c]
                         free == IF rec.lock = c THEN None ELSE rec.lock
  IN
  /\ p.st = "asserted" /\ (commit => seq < MaxSeq + 1)
  /\ lock' = [r \in R |-> IF lock[r] = c THEN None ELSE lock[r]]
  /\ IF commit
     THEN /\ cal' = [cal EXCEPT ![c] = Rest] /\ seq' = seq + 1
          /\ gate' = IF m("Blank") THEN gate ELSE [gate EXCEPT ![p.r].at = seq + 1]
          /\ rec' = IF Once THEN [n |-> rec.n + 1, at |-> seq + 1, lock |-> free] ELSE rec
          /\ bad' = bad \cup (IF doc.ten # p.ten \/ doc.h = None THEN {"G6"} ELSE {})
                         \cup (IF Once /\ rec.n > 0 THEN {"G9"} ELSE {})
     ELSE cal' = [cal EXCEPT ![c] = Again(c)] /\ rec' = [rec EXCEPT !.lock = free] /\ UNCHANGED <<seq, gate, bad>>
  /\ UNCHANGED <<doc, floor, tens, clock, eng>>

Next == \/ \E e \in E : Look(e) \/ Decide(e) \/ Update(e) \/ EndEng(e, TRUE) \/ EndEng(e, FALSE)
        \/ \E c \in C : Obtain(c) \/ Begin(c) \/ Gating(c) \/ EndCal(c, TRUE) \/ EndCal(c, FALSE)
Spec == Init /\ [][Next]_vars

G5 == "G5" \notin bad
G6 == "G6" \notin bad
G9 == "G9" \notin bad
Faithful == "Faithful" \notin bad   \* a write replaces the very tenure it was decided on
=============================================================================
