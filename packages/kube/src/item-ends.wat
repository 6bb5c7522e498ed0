;; Finds where the items of a list end, 64 bytes at a time. See item-ends.ts for its use, item-ends.build.ts for how it
;; becomes generated/item-ends.ts.
;;
;; A block of 64 bytes becomes four masks of 64 bits, one bit a byte: quotes, backslashes, opening and closing brackets.
;; From these, without looking at single bytes:
;;   escaped    the byte after an odd number of backslashes
;;   inString   each unescaped quote toggles "in a string"; a running xor of the quote bits marks the bytes within strings
;;   nesting    brackets outside strings, counted; only a block in which the depth can reach 0 is examined bracket by bracket
;; (The method is simdjson's: Langdale and Lemire, Parsing Gigabytes of JSON per Second, 2019.)
;;
;; Memory, in bytes:
;;   0      i32  depth: how many brackets are open
;;   4      i32  -1 within a string, else 0
;;   8      i32  1 if the next byte is escaped, else 0
;;   12     i32  1 after a backslash outside a string, which valid JSON never has
;;   1024   the bytes to scan, up to 65 536, followed by up to 63 spaces
;;   67584  i32[]  the result: offsets just after the closing brackets at depth 0
(module
  (memory (export "memory") 4)

  ;; One bit for each byte of 64 that equals $byte, the bytes given as four vectors.
  (func $equal (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $byte v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $byte))))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $byte)))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $byte)))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $byte)))) (i64.const 48)))))

  ;; Scans $length bytes; returns how many ends it found.
  (func (export "scan") (param $length i32) (result i32)
    (local $at i32) (local $left i32)
    (local $depth i32) (local $found i32) (local $fault i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $backslashes i64) (local $candidates i64) (local $series i64) (local $escapes i64) (local $escaped i64)
    (local $carriedEscape i64)
    (local $inString i64) (local $carriedString i64)
    (local $opening i64) (local $closing i64) (local $here i32)

    (local.set $depth (i32.load (i32.const 0)))
    (local.set $carriedString (i64.load32_s (i32.const 4)))
    (local.set $carriedEscape (i64.load32_u (i32.const 8)))

    ;; The last block is padded with spaces, which change nothing.
    (memory.fill
      (i32.add (i32.const 1024) (local.get $length))
      (i32.const 0x20)
      (i32.and (i32.sub (i32.const 0) (local.get $length)) (i32.const 63)))

    (block $end
      (loop $blocks
        (br_if $end (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $a (v128.load offset=1024 (local.get $at)))
        (local.set $b (v128.load offset=1040 (local.get $at)))
        (local.set $c (v128.load offset=1056 (local.get $at)))
        (local.set $d (v128.load offset=1072 (local.get $at)))

        ;; --- escaped ---
        (local.set $backslashes
          (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
            (v128.const i8x16 92 92 92 92 92 92 92 92 92 92 92 92 92 92 92 92)))
        (if (i64.eqz (local.get $backslashes))
          (then
            (local.set $escapes (i64.const 0))
            (local.set $escaped (local.get $carriedEscape))
            (local.set $carriedEscape (i64.const 0)))
          (else
            ;; A backslash that is itself escaped does not start a sequence.
            (local.set $candidates
              (i64.and (local.get $backslashes) (i64.xor (local.get $carriedEscape) (i64.const -1))))
            ;; Subtract from the bits after the candidates, with odd positions filled, so that each sequence borrows through its
            ;; length: the bits that differ from the odd positions are every second backslash, and the end of each sequence.
            (local.set $series
              (i64.xor
                (i64.sub
                  (i64.or (i64.shl (local.get $candidates) (i64.const 1)) (i64.const 0xAAAAAAAAAAAAAAAA))
                  (local.get $candidates))
                (i64.const 0xAAAAAAAAAAAAAAAA)))
            (local.set $escaped
              (i64.xor (local.get $series) (i64.or (local.get $backslashes) (local.get $carriedEscape))))
            (local.set $escapes (i64.and (local.get $series) (local.get $backslashes)))
            ;; Whether the last byte, which in the last block is not the 64th, escapes the next byte.
            (local.set $left (i32.sub (local.get $length) (local.get $at)))
            (local.set $carriedEscape
              (i64.and
                (i64.shr_u
                  (local.get $escapes)
                  (select
                    (i64.const 63)
                    (i64.extend_i32_u (i32.sub (local.get $left) (i32.const 1)))
                    (i32.ge_u (local.get $left) (i32.const 64))))
                (i64.const 1)))))

        ;; --- in a string: from its opening quote up to the closing one, exclusive ---
        (local.set $inString
          (i64.and
            (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
              (v128.const i8x16 34 34 34 34 34 34 34 34 34 34 34 34 34 34 34 34))
            (i64.xor (local.get $escaped) (i64.const -1))))
        (local.set $inString (i64.xor (local.get $inString) (i64.shl (local.get $inString) (i64.const 1))))
        (local.set $inString (i64.xor (local.get $inString) (i64.shl (local.get $inString) (i64.const 2))))
        (local.set $inString (i64.xor (local.get $inString) (i64.shl (local.get $inString) (i64.const 4))))
        (local.set $inString (i64.xor (local.get $inString) (i64.shl (local.get $inString) (i64.const 8))))
        (local.set $inString (i64.xor (local.get $inString) (i64.shl (local.get $inString) (i64.const 16))))
        (local.set $inString (i64.xor (local.get $inString) (i64.shl (local.get $inString) (i64.const 32))))
        (local.set $inString (i64.xor (local.get $inString) (local.get $carriedString)))
        (local.set $carriedString (i64.shr_s (local.get $inString) (i64.const 63)))
        (local.set $fault
          (i32.or
            (local.get $fault)
            (i64.ne
              (i64.and (local.get $backslashes) (i64.xor (local.get $inString) (i64.const -1)))
              (i64.const 0))))

        ;; --- nesting: `[` and `]` differ from `{` and `}` in one bit alone, 0x20 ---
        (local.set $a (v128.or (local.get $a) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)))
        (local.set $b (v128.or (local.get $b) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)))
        (local.set $c (v128.or (local.get $c) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)))
        (local.set $d (v128.or (local.get $d) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)))
        (local.set $opening
          (i64.and
            (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
              (v128.const i8x16 123 123 123 123 123 123 123 123 123 123 123 123 123 123 123 123))
            (i64.xor (local.get $inString) (i64.const -1))))
        (local.set $closing
          (i64.and
            (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
              (v128.const i8x16 125 125 125 125 125 125 125 125 125 125 125 125 125 125 125 125))
            (i64.xor (local.get $inString) (i64.const -1))))

        ;; --- the depth can reach 0 only where at least as many brackets close as are open ---
        (if (i64.le_s (i64.extend_i32_s (local.get $depth)) (i64.popcnt (local.get $closing)))
          (then
            ;; Bracket by bracket: the first closing one, and the opening ones before it.
            (block $closed
              (loop $brackets
                (br_if $closed (i64.eqz (local.get $closing)))
                (local.set $here (i32.wrap_i64 (i64.ctz (local.get $closing))))
                ;; $candidates is reused: the bits below this bracket's.
                (local.set $candidates
                  (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $here))) (i64.const 1)))
                (local.set $depth
                  (i32.sub
                    (i32.add
                      (local.get $depth)
                      (i32.wrap_i64 (i64.popcnt (i64.and (local.get $opening) (local.get $candidates)))))
                    (i32.const 1)))
                (local.set $opening
                  (i64.and (local.get $opening) (i64.xor (local.get $candidates) (i64.const -1))))
                (local.set $closing
                  (i64.and (local.get $closing) (i64.sub (local.get $closing) (i64.const 1))))
                (if (i32.eqz (local.get $depth))
                  (then
                    (i32.store offset=67584
                      (i32.shl (local.get $found) (i32.const 2))
                      (i32.add (i32.add (local.get $at) (local.get $here)) (i32.const 1)))
                    (local.set $found (i32.add (local.get $found) (i32.const 1)))))
                (br $brackets)))))
        ;; The rest of both: all of them, or the opening brackets after the last closing one.
        (local.set $depth
          (i32.add
            (local.get $depth)
            (i32.sub
              (i32.wrap_i64 (i64.popcnt (local.get $opening)))
              (i32.wrap_i64 (i64.popcnt (local.get $closing))))))

        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $blocks)))

    (i32.store (i32.const 0) (local.get $depth))
    (i64.store32 (i32.const 4) (local.get $carriedString))
    (i64.store32 (i32.const 8) (local.get $carriedEscape))
    (i32.store (i32.const 12) (local.get $fault))
    (local.get $found)))
