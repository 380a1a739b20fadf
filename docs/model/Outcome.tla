------------------------------ MODULE Outcome ------------------------------
(* Unknown outcomes, w:1 before w:majority, failover (specification section   *)
(* 5); no clocks.  `log` is the primary's history, `cp` how much of it        *)
(* a majority has; a failover cuts the log anywhere behind cp and ends open   *)
(* transactions.  Every entry writes the clock document: by, stamp; a lease   *)
(* write carries a version too.  `Mut` plants faults.                         *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS E, MaxLog, MaxTerm, MaxStamp, Mut

None == "-"
m(x) == x \in Mut
Max(a, b) == IF a > b THEN a ELSE b
Sym == Permutations(E)

VARIABLES log, cp, term,
          open,     \* the transaction that holds the clock document, or None
          eng,      \* [st, p (the transaction), w1 (answered by w:1 only)]
          view,     \* lease as read: by, s, ver
          stamp,    \* last stamp taken, per engine
          said,     \* verdicts: [by, s] -> "yes" / "no", as a set
          bad
vars == <<log, cp, term, open, eng, view, stamp, said, bad>>

Lease(l) == LET i == {k \in 1..Len(l) : l[k].ver > 0}
            IN IF i = {} THEN [by |-> None, s |-> 0, ver |-> 0]
               ELSE LET k == CHOOSE k \in i : \A j \in i : j <= k IN [by |-> l[k].by, s |-> l[k].s, ver |-> l[k].ver]
Clock(l, e) == LET i == {k \in 1..Len(l) : l[k].by = e}
               IN IF i = {} THEN 0 ELSE l[CHOOSE k \in i : \A j \in i : j <= k].s
(* a field of the writer's entry that its transactions set and nothing else does *)  (*+*)
Tx(l, e) == Clock(SelectSeq(l, LAMBDA x : x.ver > 0), e)
At(p) == {k \in 1..Len(log) : log[k].by = p.by /\ log[k].s = p.s}
Stable(p) == \E k \in At(p) : k <= cp

NoP == [by |-> None, s |-> 0, ver |-> 0]
NoView == [by |-> None, s |-> 0, ver |-> -1]
Init == /\ log = <<>> /\ cp = 0 /\ term = 0 /\ open = NoP
        /\ eng = [e \in E |-> [st |-> "idle", p |-> NoP, w1 |-> {}, bs |-> 0, pre |-> 0]]
        /\ view = [e \in E |-> NoView]
        /\ stamp = [e \in E |-> 0]
        /\ said = {} /\ bad = {}

Replicate == /\ cp < Len(log) /\ cp' = cp + 1
             /\ UNCHANGED <<log, term, open, eng, view, stamp, said, bad>>
Failover == /\ term < MaxTerm /\ term' = term + 1
            /\ \E n \in cp..Len(log) : log' = SubSeq(log, 1, n)
            /\ open' = NoP
            /\ UNCHANGED <<cp, eng, view, stamp, said, bad>>

(* views are read at majority; "local" is the fault *)
Look(e) == /\ eng[e].st = "idle"
           /\ view' = [view EXCEPT ![e] = Lease(IF m("LocalRead") THEN log ELSE SubSeq(log, 1, cp))]
           /\ view' # view
           /\ UNCHANGED <<log, cp, term, open, eng, stamp, said, bad>>

(* the update command; a writer's stamps strictly increase (*+*) *)
Start(e) == LET s == stamp[e] + 1
                cur == Lease(log)
                g == /\ cur.ver = view[e].ver
                     /\ (m("LocalRead") /\ ~m("FullGuard")) \/ cur = view[e]
                     /\ Clock(log, e) < s
                     /\ m("Cover") \/ \A q \in eng[e].w1 : At(q) # {}
  IN
  /\ eng[e].st = "idle" /\ view[e].ver >= 0 /\ open = NoP /\ stamp[e] < MaxStamp /\ Len(log) < MaxLog
  /\ stamp' = [stamp EXCEPT ![e] = s]
  /\ IF g THEN /\ open' = [by |-> e, s |-> s, ver |-> cur.ver + 1]
               /\ eng' = [eng EXCEPT ![e].st = "open", ![e].p = [by |-> e, s |-> s, ver |-> cur.ver + 1]]
               /\ bad' = IF cur # view[e] THEN bad \cup {"Faithful"} ELSE bad
          ELSE UNCHANGED <<open, eng, bad>>
  /\ view' = [view EXCEPT ![e] = NoView]
  /\ UNCHANGED <<log, cp, term, said>>

Say(p, v) == said' = said \cup {[p |-> p, v |-> v]}
Reset(e) == [eng[e] EXCEPT !.st = "idle", !.p = NoP, !.bs = 0, !.pre = 0]

(* commit sent; from here on the server may do it at any time, while it is open *)
SendCommit(e) == /\ eng[e].st = "open" /\ eng' = [eng EXCEPT ![e].st = "sent"]
                 /\ UNCHANGED <<log, cp, term, open, view, stamp, said, bad>>
Do(e) == /\ open = eng[e].p /\ open # NoP
         /\ log' = Append(log, open) /\ open' = NoP
DoCommit(e) == /\ eng[e].st \in {"sent", "doubt", "barrier"} /\ Do(e)
               /\ UNCHANGED <<cp, term, eng, view, stamp, said, bad>>
(* the first answer, w:1 *)
Answer(e) == LET p == eng[e].p IN
  /\ eng[e].st = "sent"
  /\ \/ At(p) # {} /\ eng' = [eng EXCEPT ![e] = [Reset(e) EXCEPT !.w1 = @ \cup {p}]] /\ UNCHANGED said
     \/ At(p) = {} /\ open # p /\ eng' = [eng EXCEPT ![e] = Reset(e)] /\ Say(p, "no")
     \/ eng' = [eng EXCEPT ![e].st = "doubt"] /\ UNCHANGED said
  /\ UNCHANGED <<log, cp, term, open, view, stamp, bad>>
(* the majority's answer to one answered by w:1 before: its own, or that of a later one of mine *)
Majority(e) == \E p \in eng[e].w1 :
  /\ \/ At(p) # {} /\ Stable(p) /\ said' = said \cup {[p |-> q, v |-> "yes"] :
            q \in IF m("Cover") THEN {q \in eng[e].w1 : q.s <= p.s} ELSE {p}}
        /\ eng' = [eng EXCEPT ![e].w1 = IF m("Cover") THEN {q \in @ : q.s > p.s} ELSE @ \ {p}]
     \/ At(p) = {} /\ eng' = [eng EXCEPT ![e].w1 = @ \ {p}] /\ Say(p, "no")
  /\ UNCHANGED <<log, cp, term, open, view, stamp, bad>>
(* commit again, at majority *)
Again(e) == LET p == eng[e].p IN
  /\ eng[e].st = "doubt" /\ open # p
  /\ \/ Stable(p) /\ Say(p, "yes")
     \/ At(p) = {} /\ Say(p, "no")
  /\ eng' = [eng EXCEPT ![e] = Reset(e)]
  /\ UNCHANGED <<log, cp, term, open, view, stamp, bad>>
(* the clock document alone: waits for what holds it; may be repeated, its reply being lost *)
Barrier(e) == LET s == stamp[e] + 1 IN
  /\ eng[e].st \in {"doubt", "barrier"} /\ stamp[e] < MaxStamp /\ Len(log) < MaxLog
  /\ open = NoP \/ m("NoBarrier")
  /\ stamp' = [stamp EXCEPT ![e] = s]
  /\ log' = Append(log, [by |-> e, s |-> s, ver |-> 0])
  /\ eng' = [eng EXCEPT ![e].st = "barrier", ![e].bs = s,
                        ![e].pre = Max(@, IF Clock(log, e) = eng[e].p.s THEN eng[e].p.s ELSE 0)]
  /\ UNCHANGED <<cp, term, open, view, said, bad>>
Resolve(e) == LET p == eng[e].p
                  l == Lease(SubSeq(log, 1, cp)) IN
  /\ eng[e].st = "barrier" /\ Stable([by |-> e, s |-> eng[e].bs])
  /\ CASE m("ByLease") -> Say(p, IF l.by = e /\ l.ver = p.ver THEN "yes" ELSE "no")
       [] m("ByTime")  -> Say(p, IF eng[e].pre = p.s THEN "yes" ELSE "no")   \* time just before a barrier
       [] OTHER        -> Say(p, IF Tx(SubSeq(log, 1, cp), e) = p.s THEN "yes" ELSE "no")      (*+*)
  /\ eng' = [eng EXCEPT ![e] = Reset(e)]
  /\ UNCHANGED <<log, cp, term, open, view, stamp, bad>>

Next == Replicate \/ Failover \/ \E e \in E :
  Look(e) \/ Start(e) \/ SendCommit(e) \/ DoCommit(e) \/ Answer(e) \/ Majority(e) \/ Again(e) \/ Barrier(e) \/ Resolve(e)
Spec == Init /\ [][Next]_vars

Honest == \A x \in said : /\ x.v = "yes" => Stable(x.p)
                          /\ x.v = "no" => At(x.p) = {} /\ open # x.p
Faithful == "Faithful" \notin bad
=============================================================================
