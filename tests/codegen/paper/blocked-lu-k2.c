if (n >= 2)
  for (int c0 = 1; c0 < n; c0 += 64)
    for (int c1 = c0 - 1; c1 <= n; c1 += 64) {
      for (int c4 = max(c0 + 1, c1); c4 <= min(n, c1 + 63); c4 += 1)
        s1(c0, c4);
      if (c1 + 63 >= n && c1 >= c0 + 63) {
        for (int c2 = c0 + 1; c2 <= min(c0 + 63, c1 - 1); c2 += 1) {
          for (int c3 = c0; c3 < c2; c3 += 1)
            for (int c4 = c1; c4 <= n; c4 += 1)
              s2(c3, c4, c2);
          for (int c4 = c1; c4 <= n; c4 += 1)
            s1(c2, c4);
        }
        if (c1 == c0 + 63 && n >= c0 + 64) {
          for (int c3 = c0; c3 <= c0 + 62; c3 += 1)
            for (int c4 = c0 + 63; c4 <= n; c4 += 1)
              s2(c3, c4, c0 + 63);
          for (int c4 = c0 + 64; c4 <= n; c4 += 1)
            s1(c0 + 63, c4);
          for (int c2 = c0 + 64; c2 <= n; c2 += 1) {
            for (int c3 = c0; c3 <= c0 + 62; c3 += 1)
              for (int c4 = c0 + 63; c4 <= n; c4 += 1)
                s2(c3, c4, c2);
            for (int c4 = c0 + 64; c4 <= n; c4 += 1)
              s2(c0 + 63, c4, c2);
          }
        } else if (c0 + 63 == n) {
          for (int c3 = n - 63; c3 < n; c3 += 1)
            s2(c3, n, n);
        } else
          for (int c2 = c0 + 64; c2 <= n; c2 += 1)
            for (int c3 = c0; c3 <= c0 + 63; c3 += 1)
              for (int c4 = c1; c4 <= n; c4 += 1)
                s2(c3, c4, c2);
      } else if (c1 >= c0 + 63) {
        for (int c2 = c0 + 1; c2 <= min(c0 + 63, c1 - 1); c2 += 1) {
          for (int c3 = c0; c3 < c2; c3 += 1)
            for (int c4 = c1; c4 <= c1 + 63; c4 += 1)
              s2(c3, c4, c2);
          for (int c4 = c1; c4 <= c1 + 63; c4 += 1)
            s1(c2, c4);
        }
        if (c1 == c0 + 63) {
          for (int c3 = c0; c3 <= c0 + 62; c3 += 1)
            for (int c4 = c0 + 63; c4 <= c0 + 126; c4 += 1)
              s2(c3, c4, c0 + 63);
          for (int c4 = c0 + 64; c4 <= c0 + 126; c4 += 1)
            s1(c0 + 63, c4);
          for (int c2 = c0 + 64; c2 <= n; c2 += 1) {
            for (int c3 = c0; c3 <= c0 + 62; c3 += 1)
              for (int c4 = c0 + 63; c4 <= c0 + 126; c4 += 1)
                s2(c3, c4, c2);
            for (int c4 = c0 + 64; c4 <= c0 + 126; c4 += 1)
              s2(c0 + 63, c4, c2);
          }
        } else
          for (int c2 = c0 + 64; c2 <= n; c2 += 1)
            for (int c3 = c0; c3 <= c0 + 63; c3 += 1)
              for (int c4 = c1; c4 <= c1 + 63; c4 += 1)
                s2(c3, c4, c2);
      } else {
        if (n >= c0 + 2 && c0 + 62 >= n)
          for (int c2 = c0 + 1; c2 < n; c2 += 1) {
            for (int c3 = c0; c3 < c2; c3 += 1)
              for (int c4 = c3 + 1; c4 <= n; c4 += 1)
                s2(c3, c4, c2);
            for (int c4 = c2 + 1; c4 <= n; c4 += 1)
              s1(c2, c4);
          }
        if (c0 + 61 >= n) {
          for (int c3 = c0; c3 < n; c3 += 1)
            for (int c4 = c3 + 1; c4 <= n; c4 += 1)
              s2(c3, c4, n);
        } else {
          if (n >= c0 + 63)
            for (int c2 = c0 + 1; c2 <= c0 + 61; c2 += 1) {
              for (int c3 = c0; c3 < c2; c3 += 1)
                for (int c4 = c3 + 1; c4 <= c0 + 62; c4 += 1)
                  s2(c3, c4, c2);
              for (int c4 = c2 + 1; c4 <= c0 + 62; c4 += 1)
                s1(c2, c4);
            }
          for (int c2 = c0 + 62; c2 <= n; c2 += 1)
            for (int c3 = c0; c3 <= c0 + 61; c3 += 1)
              for (int c4 = c3 + 1; c4 <= c0 + 62; c4 += 1)
                s2(c3, c4, c2);
        }
      }
    }
